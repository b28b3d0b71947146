// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.RequestHash;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteAction.HashPolicy;
import io.envoyproxy.envoy.config.route.v3.RouteAction.RequestMirrorPolicy;
import io.envoyproxy.envoy.config.route.v3.RouteAction.UpgradeConfig;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Route actions that forward requests to services. */
final class ForwardActions {
  private static final UpgradeConfig WEBSOCKET =
      UpgradeConfig.newBuilder().setUpgradeType("websocket").build();

  /** A session cookie. */
  private static final HashPolicy COOKIE = cookie();

  private ForwardActions() {}

  /**
   * The action.
   *
   * @param replacement replaces the matched prefix; null if the path stays
   */
  static RouteAction of(RouteSpec spec, @Nullable String replacement) {
    Route route = spec.route();
    RouteAction.Builder action = RouteAction.newBuilder();
    setClusters(action, spec);
    setTimeouts(action, route);
    spec.mirrors().forEach(target -> action.addRequestMirrorPolicies(mirror(target)));
    if (route.retries() != null) {
      action.setRetryPolicy(RetryPolicies.of(route.retries()));
    }
    if (replacement != null) {
      action.setPrefixRewrite(replacement);
    }
    setHost(action, route);
    action.addAllRateLimits(GlobalRateLimits.of(route.rateLimits()));
    if (route.internalRedirect() != null) {
      action.setInternalRedirectPolicy(InternalRedirects.of(route.internalRedirect()));
    }
    if (route.enableWebsockets()) {
      action.addUpgradeConfigs(WEBSOCKET);
    }
    route.balancing().hashes().forEach(hash -> action.addHashPolicy(policy(hash)));
    if (route.loadBalancing() == LoadBalancing.COOKIE) {
      action.addHashPolicy(COOKIE);
    }
    return action.build();
  }

  static void addWebsocket(RouteAction.Builder action) {
    action.addUpgradeConfigs(WEBSOCKET);
  }

  private static void setClusters(RouteAction.Builder action, RouteSpec spec) {
    List<Target> targets = spec.answering();
    if (targets.size() == 1 && !changes(targets.get(0).service())) {
      action.setCluster(targets.get(0).cluster());
    } else {
      action.setWeightedClusters(WeightedClusters.of(targets, spec));
    }
  }

  private static boolean changes(RouteService service) {
    return service.requestHeaders() != null
        || service.responseHeaders() != null
        || !service.cookieRewrites().isEmpty();
  }

  private static void setTimeouts(RouteAction.Builder action, Route route) {
    com.google.protobuf.Duration response = Times.of(route.timeouts().response());
    if (response != null) {
      action.setTimeout(response);
    }
    com.google.protobuf.Duration idle = Times.of(route.timeouts().idle());
    if (idle != null) {
      action.setIdleTimeout(idle);
    }
  }

  private static void setHost(RouteAction.Builder action, Route route) {
    String literal = HeaderMutations.literalHost(route.requestHeaders());
    String header = HeaderMutations.hostHeader(route.requestHeaders());
    if (literal != null) {
      action.setHostRewriteLiteral(literal);
    } else if (header != null) {
      action.setHostRewriteHeader(header);
    }
  }

  private static RequestMirrorPolicy mirror(Target target) {
    FractionalPercent.Builder share =
        FractionalPercent.newBuilder()
            .setNumerator((int) target.service().weight())
            .setDenominator(FractionalPercent.DenominatorType.HUNDRED);
    return RequestMirrorPolicy.newBuilder()
        .setCluster(target.cluster())
        .setRuntimeFraction(RuntimeFractionalPercent.newBuilder().setDefaultValue(share))
        .build();
  }

  private static HashPolicy policy(RequestHash hash) {
    HashPolicy.Builder policy = HashPolicy.newBuilder().setTerminal(hash.terminal());
    switch (hash.source()) {
      case HEADER -> policy.getHeaderBuilder().setHeaderName(hash.name());
      case QUERY_PARAMETER -> policy.getQueryParameterBuilder().setName(hash.name());
      case SOURCE_IP -> policy.getConnectionPropertiesBuilder().setSourceIp(true);
    }
    return policy.build();
  }

  private static HashPolicy cookie() {
    HashPolicy.Builder policy = HashPolicy.newBuilder();
    policy
        .getCookieBuilder()
        .setName("X-Contour-Session-Affinity")
        .setTtl(com.google.protobuf.Duration.getDefaultInstance())
        .setPath("/");
    return policy.build();
  }
}
