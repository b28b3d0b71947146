// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Durations;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Fault injection (gRFC A33). Limits of the response rate, runtime keys, and the fields that choose
 * calls by headers, cluster or node are ignored, as the gRFC has it. An override replaces the
 * configuration of the listener as a whole.
 */
final class FaultType implements HttpFilterType {
  private static final int MIN_HTTP_STATUS = 200;
  private static final int MAX_HTTP_STATUS = 599;

  @Override
  public String type() {
    return "envoy.extensions.filters.http.fault.v3.HTTPFault";
  }

  @Override
  public boolean runsOn(FilterSide side) {
    return side == FilterSide.CLIENT;
  }

  @Override
  public @Nullable FilterConfig decode(TypedConfig config, Decoding decoding, Problems problems) {
    HTTPFault proto = config.message(HTTPFault.parser(), problems);
    if (proto == null) {
      return null;
    }
    FaultDelay delay = proto.hasDelay() ? delay(proto.getDelay(), problems.at("delay")) : null;
    FaultAbort abort = proto.hasAbort() ? abort(proto.getAbort(), problems.at("abort")) : null;
    long maxActive =
        proto.hasMaxActiveFaults()
            ? Integer.toUnsignedLong(proto.getMaxActiveFaults().getValue())
            : FilterConfig.Fault.UNLIMITED;
    return new FilterConfig.Fault(delay, abort, maxActive);
  }

  @Override
  public @Nullable FilterConfig decodeOverride(
      TypedConfig config, Decoding decoding, Problems problems) {
    return decode(config, decoding, problems);
  }

  private static @Nullable FaultDelay delay(
      io.envoyproxy.envoy.extensions.filters.common.fault.v3.FaultDelay proto, Problems problems) {
    FaultShare share = share(proto.getPercentage(), problems.at("percentage"));
    switch (proto.getFaultDelaySecifierCase()) {
      case FIXED_DELAY:
        Duration fixed = Durations.decode(proto.getFixedDelay(), problems.at("fixed_delay"));
        return fixed == null ? null : new FaultDelay(fixed, share);
      case HEADER_DELAY:
        return new FaultDelay(null, share);
      default:
        problems.required("no kind of delay (expected: fixed_delay or header_delay)");
        return null;
    }
  }

  private static @Nullable FaultAbort abort(
      io.envoyproxy.envoy.extensions.filters.http.fault.v3.FaultAbort proto, Problems problems) {
    FaultShare share = share(proto.getPercentage(), problems.at("percentage"));
    switch (proto.getErrorTypeCase()) {
      case GRPC_STATUS:
        return new FaultAbort(new FaultAbort.GrpcStatus(proto.getGrpcStatus()), share);
      case HTTP_STATUS:
        int code = proto.getHttpStatus();
        if (code < MIN_HTTP_STATUS || code > MAX_HTTP_STATUS) {
          problems
              .at("http_status")
              .invalid(
                  Integer.toUnsignedString(code)
                      + " (expected: "
                      + MIN_HTTP_STATUS
                      + " to "
                      + MAX_HTTP_STATUS
                      + ")");
        }
        return new FaultAbort(new FaultAbort.HttpStatus(code), share);
      case HEADER_ABORT:
        return new FaultAbort(new FaultAbort.Header(), share);
      default:
        problems.required("no kind of abort (expected: grpc_status, http_status or header_abort)");
        return null;
    }
  }

  private static FaultShare share(FractionalPercent proto, Problems problems) {
    return new FaultShare(
        Integer.toUnsignedLong(proto.getNumerator()), partsPerMillion(proto, problems));
  }

  private static int partsPerMillion(FractionalPercent proto, Problems problems) {
    switch (proto.getDenominator()) {
      case HUNDRED:
        return 10_000;
      case TEN_THOUSAND:
        return 100;
      case MILLION:
        return 1;
      default:
        problems
            .at("denominator")
            .invalid(proto.getDenominatorValue() + " (expected: HUNDRED, TEN_THOUSAND or MILLION)");
        return 0;
    }
  }
}
