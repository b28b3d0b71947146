// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.snapshot.Resource.Audience;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import dev.holdfast.controlplane.translate.proto.route.FilterConfigs;
import dev.holdfast.controlplane.translate.proto.route.Rewrites;
import dev.holdfast.controlplane.translate.proto.route.RouteConfigurations;
import dev.holdfast.controlplane.translate.proto.route.RouteForm;
import dev.holdfast.controlplane.translate.proto.route.RouteMatches;
import dev.holdfast.controlplane.translate.proto.route.Routes;
import dev.holdfast.controlplane.translate.proto.route.VirtualHosts;
import io.envoyproxy.envoy.config.route.v3.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Plans the host of a root HTTPProxy that can be served. */
final class ProxyHost {
  private static final int BAD_GATEWAY = 502;

  private final String fqdn;
  private final VirtualHost host;
  private final FieldOrigin origin;
  private final HostPolicies policies;
  private final HostPlan.Builder plan;
  private final List<OrderedRoute> orderedRoutes = new ArrayList<>();

  private ProxyHost(
      VirtualHost host, FieldOrigin origin, HostPolicies policies, HostPlan.Builder plan) {
    this.fqdn = host.fqdn();
    this.host = host;
    this.origin = origin;
    this.policies = policies;
    this.plan = plan;
  }

  static void plan(
      IndexedObject root, FactReader reader, HttpOptions options, HostPlan.Builder plan) {
    if (!(root.typed() instanceof HttpProxy proxy) || proxy.virtualHost() == null) {
      return;
    }
    ObjectKey key = proxy.key();
    ProxyHost planner =
        new ProxyHost(
            proxy.virtualHost(),
            new FieldOrigin(key, root.generation(), "spec.virtualhost"),
            new HostPolicies(reader, plan),
            plan);
    planner.orderRoutes(RouteTree.of(root, reader, plan));
    planner.planPlain();
    if (proxy.virtualHost().tls() != null) {
      TlsHost tls = new TlsHost(fqdnOf(proxy), proxy, root, reader, options, plan);
      if (proxy.tcpProxy() != null) {
        tls.planTcp();
      } else if (!proxy.virtualHost().tls().passthrough() && !planner.orderedRoutes.isEmpty()) {
        planner.planSecure();
        tls.planHttp();
      }
    }
    if (!fqdnOf(proxy).startsWith("*") && !planner.orderedRoutes.isEmpty()) {
      ApiHost.plan(
          planner.host,
          planner.origin,
          planner.orderedRoutes,
          planner.policies,
          reader,
          options,
          plan);
    }
  }

  private static String fqdnOf(HttpProxy proxy) {
    return proxy.virtualHost() == null ? "" : proxy.virtualHost().fqdn();
  }

  private void orderRoutes(Collection<PlannedRoute> routes) {
    Set<Conditions> written = new HashSet<>();
    routes.forEach(route -> written.add(route.conditions()));
    for (PlannedRoute planned : routes) {
      planned.upstreams().forEach(upstream -> plan.require(upstream.cluster(), planned.origin()));
      if (planned.route() == null) {
        orderedRoutes.add(new OrderedRoute(planned, new RouteForm(planned.conditions(), null)));
      } else {
        Rewrites.forms(planned.route(), planned.conditions(), written::contains)
            .forEach(form -> orderedRoutes.add(new OrderedRoute(planned, form)));
      }
    }
    orderedRoutes.sort(
        Comparator.comparing(
            (OrderedRoute ordered) -> ordered.form().conditions(), RouteOrder.CONDITIONS));
  }

  private Route route(OrderedRoute ordered) {
    dev.holdfast.controlplane.objects.httpproxy.Route route = ordered.planned().route();
    return route == null
        ? Routes.failing(RouteMatches.of(ordered.form().conditions(), fqdn), BAD_GATEWAY)
        : Routes.of(ordered.spec(route, fqdn), ordered.form());
  }

  private FilterOverrides overrides(OrderedRoute ordered) {
    return ordered.planned().route() == null
        ? FilterOverrides.NONE
        : policies.ofRoute(ordered.origin().object(), ordered.planned().index());
  }

  private VirtualHostBuilder builder() {
    return new VirtualHostBuilder(
        origin,
        VirtualHosts.of(fqdn, List.of(), FilterConfigs.of(host)),
        policies.ofHost(origin.object()));
  }

  /**
   * Plans the virtual host without TLS. If the host has TLS, most of its routes are redirects to
   * HTTPS.
   */
  private void planPlain() {
    VirtualHostBuilder builder = builder();
    for (OrderedRoute ordered : orderedRoutes) {
      if (host.tls() == null || ordered.planned().permitInsecure()) {
        builder.add(ordered.origin(), route(ordered), overrides(ordered), ordered.clusters());
      } else {
        builder.add(
            ordered.origin(),
            Routes.httpsRedirect(RouteMatches.of(ordered.form().conditions(), fqdn)),
            List.of());
      }
    }
    if (builder.hasRoutes()) {
      plan.plain(builder.fragment());
    }
  }

  /** Plans the route table for TLS. */
  private void planSecure() {
    VirtualHostBuilder builder = builder();
    orderedRoutes.forEach(
        ordered ->
            builder.add(ordered.origin(), route(ordered), overrides(ordered), ordered.clusters()));
    plan.addResource(
        builder.resource(
            ResourceNames.tlsRoutes(fqdn),
            RouteConfigurations.of(
                ResourceNames.tlsRoutes(fqdn).name(), List.of(VirtualHosts.misdirected())),
            Audience.ALL));
  }
}
