// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows a request through what is in force, as far as tests need it. */
final class RequestTracer {
  private final EnvoyRun core;

  RequestTracer(EnvoyRun core) {
    this.core = core;
  }

  RequestOutcome route(Request request) {
    ListenerEntry entry = listener(request);
    if (entry == null) {
      return RequestOutcome.refused("no listener");
    }
    Optional<FilterChain> chain = FilterChainMatcher.pick(entry.config, request.sni());
    if (chain.isEmpty()) {
      return RequestOutcome.refused("no filter chain for " + request.sni());
    }
    for (Reference reference : References.secrets(chain.get())) {
      if (core.providers.secret(reference).inUseBy(entry) == null) {
        return RequestOutcome.refused("no secret " + reference.name());
      }
    }
    for (Reference reference : References.filters(chain.get())) {
      if (core.providers.filter(reference).current() == null) {
        return RequestOutcome.local(500, "missing filter " + reference.name());
      }
    }
    return References.http(chain.get())
        .map(http -> http(http, request))
        .orElse(RequestOutcome.refused("not HTTP"));
  }

  private @Nullable ListenerEntry listener(Request request) {
    if (!request.listener().isEmpty()) {
      return core.listeners.inForce(request.listener());
    }
    for (String name : core.listeners.activeNames()) {
      ListenerEntry entry = core.listeners.inForce(name);
      if (entry != null && isFor(entry.config, request)) {
        return entry;
      }
    }
    return null;
  }

  private static boolean isFor(Listener listener, Request request) {
    return FilterChainMatcher.pick(listener, request.sni())
        .filter(chain -> chain.hasTransportSocket() != request.sni().isEmpty())
        .flatMap(References::http)
        .isPresent();
  }

  private RequestOutcome http(HttpConnectionManager http, Request request) {
    RouteConfiguration routes =
        http.hasRds()
            ? core.providers.routesInForce(http.getRds().getRouteConfigName())
            : http.getRouteConfig();
    if (routes == null) {
      return RequestOutcome.noRoute();
    }
    VirtualHost host = RouteMatcher.virtualHost(routes, request.host());
    if (host == null) {
      return RequestOutcome.noRoute();
    }
    for (Route route : host.getRoutesList()) {
      if (RouteMatcher.matches(route.getMatch(), request)) {
        return action(route);
      }
    }
    return RequestOutcome.noRoute();
  }

  private RequestOutcome action(Route route) {
    return switch (route.getActionCase()) {
      case DIRECT_RESPONSE ->
          RequestOutcome.local(route.getDirectResponse().getStatus(), "direct response");
      case REDIRECT -> RequestOutcome.local(301, "redirect");
      case ROUTE -> forward(route.getRoute());
      default -> RequestOutcome.local(500, "missing action");
    };
  }

  /** Of several clusters the one that fares worst, since any of them may be hit. */
  private RequestOutcome forward(RouteAction action) {
    if (!action.hasWeightedClusters()) {
      return cluster(action.getCluster());
    }
    RequestOutcome worst = null;
    for (WeightedCluster.ClusterWeight share : action.getWeightedClusters().getClustersList()) {
      if (share.getWeight().getValue() > 0) {
        RequestOutcome outcome = cluster(share.getName());
        worst = worst == null || (worst.isServed() && !outcome.isServed()) ? outcome : worst;
      }
    }
    return worst == null ? RequestOutcome.local(500, "missing cluster") : worst;
  }

  private RequestOutcome cluster(String name) {
    ClusterEntry entry = core.clusters.inForce(name);
    if (entry == null) {
      return core.clusters.isStatic(name)
          ? RequestOutcome.local(200, "static cluster")
          : RequestOutcome.noCluster(name);
    }
    return RequestOutcome.served(name, entry.endpoints());
  }
}
