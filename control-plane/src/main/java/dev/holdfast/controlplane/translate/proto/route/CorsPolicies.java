// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.BoolValue;
import dev.holdfast.controlplane.objects.httpproxy.CorsPolicy;
import dev.holdfast.controlplane.translate.proto.Matchers;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;

/** CORS policies. */
final class CorsPolicies {
  private CorsPolicies() {}

  static io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy of(CorsPolicy policy) {
    io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy.Builder cors =
        io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy.newBuilder()
            .setAllowMethods(String.join(",", policy.allowMethods()))
            .setAllowHeaders(String.join(",", policy.allowHeaders()))
            .setExposeHeaders(String.join(",", policy.exposeHeaders()))
            .setAllowCredentials(BoolValue.of(policy.allowCredentials()))
            .setAllowPrivateNetworkAccess(BoolValue.of(policy.allowPrivateNetwork()));
    policy.allowOrigin().forEach(origin -> cors.addAllowOriginStringMatch(matcher(origin)));
    if (policy.maxAge() != null) {
      cors.setMaxAge(String.valueOf(policy.maxAge().toSeconds()));
    }
    return cors.build();
  }

  private static StringMatcher matcher(CorsPolicy.Origin origin) {
    return switch (origin.match()) {
      case ANY -> Matchers.exact("*"); // the filter takes this for every origin
      case EXACT -> StringMatcher.newBuilder().setExact(origin.text()).setIgnoreCase(true).build();
      case REGEX -> Matchers.matching(origin.text());
    };
  }
}
