// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import dev.holdfast.controlplane.objects.httpproxy.GlobalRateLimit;
import dev.holdfast.controlplane.objects.httpproxy.RateLimitPolicy;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.translate.index.RateLimitService;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.config.route.v3.RateLimit;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit.XRateLimitHeadersRFCVersion;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimitPerRoute;
import java.util.List;

/** Limits that a service applies. */
public final class GlobalRateLimits {
  /** The type of the filter. */
  public static final String TYPE_URL =
      Anys.of(
              io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit
                  .getDefaultInstance())
          .getTypeUrl();

  private static final Any EXEMPT =
      Anys.of(
          FilterConfig.newBuilder()
              .setConfig(
                  Anys.of(
                      RateLimitPerRoute.newBuilder()
                          .setVhRateLimits(RateLimitPerRoute.VhRateLimitsOptions.IGNORE)
                          .build()))
              .build());

  private GlobalRateLimits() {}

  /**
   * The filter.
   *
   * @param cluster the name of the service's cluster
   * @param authority the host that the service is asked as
   * @param timeout of a question
   */
  public static io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit filter(
      RateLimitService service, String cluster, String authority, Timeout timeout) {
    io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit.Builder filter =
        io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit.newBuilder()
            .setDomain(service.domain())
            .setFailureModeDeny(!service.failOpen())
            .setRateLimitedAsResourceExhausted(service.resourceExhausted());
    com.google.protobuf.Duration limit = Times.of(timeout);
    if (limit != null) {
      filter.setTimeout(limit);
    }
    if (service.headers()) {
      filter.setEnableXRatelimitHeaders(XRateLimitHeadersRFCVersion.DRAFT_VERSION_03);
    }
    filter
        .getRateLimitServiceBuilder()
        .setTransportApiVersion(ApiVersion.V3)
        .getGrpcServiceBuilder()
        .getEnvoyGrpcBuilder()
        .setClusterName(cluster)
        .setAuthority(authority);
    return filter.build();
  }

  /** The configuration of the filter for a virtual host or route with a policy of its own. */
  public static Any perRoute(RateLimitPolicy policy) {
    return policy.exempt() ? EXEMPT : FilterConfigs.ENABLED;
  }

  /** What the service is told of requests. */
  static List<RateLimit> of(RateLimitPolicy policy) {
    GlobalRateLimit limit = policy.global();
    return limit == null
        ? List.of()
        : limit.descriptors().stream().map(GlobalRateLimits::of).toList();
  }

  private static RateLimit of(GlobalRateLimit.Descriptor descriptor) {
    RateLimit.Builder limit = RateLimit.newBuilder();
    descriptor.entries().forEach(entry -> limit.addActions(of(entry)));
    return limit.build();
  }

  private static RateLimit.Action of(GlobalRateLimit.Entry entry) {
    RateLimit.Action.Builder action = RateLimit.Action.newBuilder();
    if (entry instanceof GlobalRateLimit.GenericKey generic) {
      action
          .getGenericKeyBuilder()
          .setDescriptorKey(generic.key())
          .setDescriptorValue(generic.value());
    } else if (entry instanceof GlobalRateLimit.RequestHeader header) {
      action
          .getRequestHeadersBuilder()
          .setHeaderName(header.header())
          .setDescriptorKey(header.key());
    } else if (entry instanceof GlobalRateLimit.HeaderValueMatch match) {
      action
          .getHeaderValueMatchBuilder()
          .setDescriptorValue(match.value())
          .setExpectMatch(BoolValue.of(match.expected()))
          .addAllHeaders(match.headers().stream().map(HeaderMatches::of).toList());
    } else {
      action.getRemoteAddressBuilder();
    }
    return action.build();
  }
}
