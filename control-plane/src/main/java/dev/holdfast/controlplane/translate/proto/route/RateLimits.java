// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.httpproxy.LocalRateLimit;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import io.envoyproxy.envoy.type.v3.HttpStatus;
import io.envoyproxy.envoy.type.v3.TokenBucket;
import java.time.Duration;
import java.util.Map;

/** Local rate limits. */
final class RateLimits {
  /** Must be set: by default Envoy only counts, and does not enforce the limit. */
  private static final RuntimeFractionalPercent ALL =
      RuntimeFractionalPercent.newBuilder()
          .setDefaultValue(FractionalPercent.newBuilder().setNumerator(100))
          .build();

  private RateLimits() {}

  static io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit of(
      LocalRateLimit limit, String fqdn) {
    io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit.Builder config =
        io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit.newBuilder()
            .setStatPrefix("vhost." + fqdn)
            .setStatus(HttpStatus.newBuilder().setCodeValue(limit.responseStatusCode()))
            .setTokenBucket(bucket(limit))
            .setFilterEnabled(ALL)
            .setFilterEnforced(ALL);
    limit
        .responseHeadersToAdd()
        .forEach(
            header -> config.addResponseHeadersToAdd(HeaderMutations.option(header, Map.of())));
    return config.build();
  }

  private static TokenBucket bucket(LocalRateLimit limit) {
    return TokenBucket.newBuilder()
        .setMaxTokens((int) (limit.requests() + limit.burst()))
        .setTokensPerFill(UInt32Value.of((int) limit.requests()))
        .setFillInterval(Times.exact(interval(limit.unit())))
        .build();
  }

  private static Duration interval(LocalRateLimit.Unit unit) {
    return switch (unit) {
      case SECOND -> Duration.ofSeconds(1);
      case MINUTE -> Duration.ofMinutes(1);
      case HOUR -> Duration.ofHours(1);
    };
  }
}
