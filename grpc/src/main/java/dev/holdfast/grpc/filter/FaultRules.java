// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import dev.holdfast.xds.resources.decode.Fractions;
import dev.holdfast.xds.resources.filter.FaultAbort;
import dev.holdfast.xds.resources.filter.FaultDelay;
import dev.holdfast.xds.resources.filter.FaultShare;
import dev.holdfast.xds.resources.filter.FilterConfig;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which faults a call gets (gRFC A33). Headers of a call are read only where the configuration
 * leaves something to them; one that cannot be read is as if it were not there.
 */
final class FaultRules {
  private static final Metadata.Key<String> DELAY = key("x-envoy-fault-delay-request");
  private static final Metadata.Key<String> DELAY_SHARE =
      key("x-envoy-fault-delay-request-percentage");
  private static final Metadata.Key<String> HTTP_STATUS = key("x-envoy-fault-abort-request");
  private static final Metadata.Key<String> GRPC_STATUS = key("x-envoy-fault-abort-grpc-request");
  private static final Metadata.Key<String> ABORT_SHARE =
      key("x-envoy-fault-abort-request-percentage");

  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final @Nullable FaultDelay delay;
  private final long fixedDelayNanos;
  private final @Nullable FaultAbort abort;
  private final @Nullable Status fixedStatus;
  private final long maxActive;
  private final String filter;

  private FaultRules(FilterConfig.Fault config, String filter) {
    FaultDelay configured = config.delay();
    delay = configured != null && configured.share().perMillion() > 0 ? configured : null;
    fixedDelayNanos = delay == null || delay.fixed() == null ? 0 : nanos(delay.fixed());
    FaultAbort configuredAbort = config.abort();
    abort =
        configuredAbort != null && configuredAbort.share().perMillion() > 0
            ? configuredAbort
            : null;
    this.filter = filter;
    fixedStatus =
        abort == null
            ? null
            : abort
                .cause()
                .<@Nullable Status>fold(this::ofGrpcStatus, this::ofHttpStatus, () -> null);
    maxActive = config.maxActiveFaults();
  }

  /**
   * The rules of a filter; null if they do nothing to any call.
   *
   * @param filter its name, for the texts of errors
   */
  static @Nullable FaultRules of(FilterConfig.Fault config, String filter) {
    FaultRules rules = new FaultRules(config, filter);
    return rules.maxActive == 0 || (rules.delay == null && rules.abort == null) ? null : rules;
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** Durations of xDS may be longer than a long has nanoseconds. */
  private static long nanos(Duration duration) {
    return (duration.compareTo(FOREVER) < 0 ? duration : FOREVER).toNanos();
  }

  long maxActive() {
    return maxActive;
  }

  /** The name of the filter, for the texts of errors. */
  String filter() {
    return filter;
  }

  /** How long this call is delayed, in nanoseconds; 0 for not at all. */
  long drawDelay(Metadata headers, LongUnaryOperator random) {
    FaultDelay configured = delay;
    if (configured == null) {
      return 0;
    }
    if (configured.fixed() != null) {
      return draw(configured.share().perMillion(), random) ? fixedDelayNanos : 0;
    }
    long millis = number(headers, DELAY);
    return millis > 0 && draw(share(configured.share(), headers, DELAY_SHARE), random)
        ? nanos(Duration.ofMillis(millis))
        : 0;
  }

  /** What this call is failed with; null if it is not. */
  @Nullable Status drawAbort(Metadata headers, LongUnaryOperator random) {
    FaultAbort configured = abort;
    if (configured == null) {
      return null;
    }
    if (fixedStatus != null) {
      return draw(configured.share().perMillion(), random) ? fixedStatus : null;
    }
    Status status = ofHeaders(headers);
    return status != null && draw(share(configured.share(), headers, ABORT_SHARE), random)
        ? status
        : null;
  }

  /** Each fault has a draw of its own: how many calls get one does not depend on the other. */
  private static boolean draw(int perMillion, LongUnaryOperator random) {
    return perMillion >= Fractions.MILLION
        || (perMillion > 0 && random.applyAsLong(Fractions.MILLION) < perMillion);
  }

  private static int share(FaultShare share, Metadata headers, Metadata.Key<String> key) {
    long wanted = number(headers, key);
    return wanted < 0 ? share.perMillion() : share.perMillion(wanted);
  }

  /** As in Envoy, a status of HTTP goes before one of gRPC. */
  private @Nullable Status ofHeaders(Metadata headers) {
    long http = number(headers, HTTP_STATUS);
    if (http >= 200 && http < 600) {
      return ofHttpStatus((int) http);
    }
    long code = number(headers, GRPC_STATUS);
    return code < 0 ? null : ofGrpcStatus((int) Math.min(code, Integer.MAX_VALUE));
  }

  private Status ofGrpcStatus(int code) {
    // A number that is not a code, also one beyond int, is UNKNOWN to gRPC.
    return described(Status.fromCodeValue(code < 0 ? Integer.MAX_VALUE : code).getCode(), "");
  }

  private Status ofHttpStatus(int status) {
    return described(HttpStatuses.toCode(status), ", as for the HTTP status " + status);
  }

  private Status described(Status.Code code, String detail) {
    Status status = Status.fromCode(code);
    return status.isOk()
        ? status
        : status.withDescription("aborted by fault injection (filter " + filter + detail + ")");
  }

  /** A decimal number that is not negative; -1 if there is none. */
  private static long number(Metadata headers, Metadata.Key<String> key) {
    String text = headers.get(key);
    if (text == null || text.isEmpty() || text.length() > 18) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = number * 10 + (digit - '0');
    }
    return number;
  }
}
