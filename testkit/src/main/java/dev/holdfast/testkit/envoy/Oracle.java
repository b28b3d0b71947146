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
final class Oracle {
  private final Core core;

  Oracle(Core core) {
    this.core = core;
  }

  Outcome route(Request request) {
    ListenerEntry entry = listener(request);
    if (entry == null) {
      return Outcome.refused("no listener");
    }
    Optional<FilterChain> chain = Chains.pick(entry.config, request.sni());
    if (chain.isEmpty()) {
      return Outcome.refused("no filter chain for " + request.sni());
    }
    for (Reference reference : References.secrets(chain.get())) {
      if (core.providers.secret(reference).inUseBy(entry) == null) {
        return Outcome.refused("no secret " + reference.name());
      }
    }
    for (Reference reference : References.filters(chain.get())) {
      if (core.providers.filter(reference).current() == null) {
        return Outcome.local(500, "missing filter " + reference.name());
      }
    }
    return References.http(chain.get())
        .map(http -> http(http, request))
        .orElse(Outcome.refused("not HTTP"));
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
    return Chains.pick(listener, request.sni())
        .filter(chain -> chain.hasTransportSocket() != request.sni().isEmpty())
        .flatMap(References::http)
        .isPresent();
  }

  private Outcome http(HttpConnectionManager http, Request request) {
    RouteConfiguration routes =
        http.hasRds()
            ? core.providers.routesInForce(http.getRds().getRouteConfigName())
            : http.getRouteConfig();
    if (routes == null) {
      return Outcome.noRoute();
    }
    VirtualHost host = Matching.virtualHost(routes, request.host());
    if (host == null) {
      return Outcome.noRoute();
    }
    for (Route route : host.getRoutesList()) {
      if (Matching.matches(route.getMatch(), request)) {
        return action(route);
      }
    }
    return Outcome.noRoute();
  }

  private Outcome action(Route route) {
    return switch (route.getActionCase()) {
      case DIRECT_RESPONSE ->
          Outcome.local(route.getDirectResponse().getStatus(), "direct response");
      case REDIRECT -> Outcome.local(301, "redirect");
      case ROUTE -> forward(route.getRoute());
      default -> Outcome.local(500, "missing action");
    };
  }

  /** Of several clusters the one that fares worst, since any of them may be hit. */
  private Outcome forward(RouteAction action) {
    if (!action.hasWeightedClusters()) {
      return cluster(action.getCluster());
    }
    Outcome worst = null;
    for (WeightedCluster.ClusterWeight share : action.getWeightedClusters().getClustersList()) {
      if (share.getWeight().getValue() > 0) {
        Outcome outcome = cluster(share.getName());
        worst = worst == null || (worst.isServed() && !outcome.isServed()) ? outcome : worst;
      }
    }
    return worst == null ? Outcome.local(500, "missing cluster") : worst;
  }

  private Outcome cluster(String name) {
    ClusterEntry entry = core.clusters.inForce(name);
    if (entry == null) {
      return core.clusters.isStatic(name)
          ? Outcome.local(200, "static cluster")
          : Outcome.noCluster(name);
    }
    return Outcome.served(name, entry.endpoints());
  }
}
