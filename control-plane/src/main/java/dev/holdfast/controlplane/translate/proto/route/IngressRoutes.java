// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import dev.holdfast.controlplane.objects.ingress.IngressSettings;
import dev.holdfast.controlplane.objects.ingress.PathRule;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import java.util.Map;

/** Routes of an Ingress, for Envoy. */
public final class IngressRoutes {
  private IngressRoutes() {}

  /**
   * The route for a path of a host.
   *
   * @param host of the rule, {@code *} for all
   */
  public static Route of(PathRule rule, String host, String cluster, IngressSettings settings) {
    return route(RouteMatches.of(rule, host), rule.path(), cluster, settings);
  }

  /** The same route with changes of headers. */
  public static Route withHeaders(
      Route route, HeadersPolicy request, HeadersPolicy response, Map<String, String> variables) {
    return route.toBuilder()
        .addAllRequestHeadersToAdd(HeaderMutations.set(request, variables))
        .addAllRequestHeadersToRemove(HeaderMutations.remove(request))
        .addAllResponseHeadersToAdd(HeaderMutations.set(response, variables))
        .addAllResponseHeadersToRemove(HeaderMutations.remove(response))
        .build();
  }

  private static Route route(
      RouteMatch match, String path, String cluster, IngressSettings settings) {
    RouteAction.Builder action = RouteAction.newBuilder().setCluster(cluster);
    com.google.protobuf.Duration timeout = Times.of(settings.responseTimeout());
    if (timeout != null) {
      action.setTimeout(timeout);
    }
    RetryPolicy retries = RetryPolicies.of(settings);
    if (retries != null) {
      action.setRetryPolicy(retries);
    }
    if (settings.websocketRoutes().contains(path)) {
      ForwardActions.addWebsocket(action);
    }
    return Route.newBuilder().setMatch(match).setRoute(action).build();
  }
}
