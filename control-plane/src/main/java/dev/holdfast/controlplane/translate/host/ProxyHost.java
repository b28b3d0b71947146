// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.snapshot.Resource.Audience;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.HeaderDefaults;
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
import org.jspecify.annotations.Nullable;

/** Plans the host of a root HTTPProxy that can be served. */
final class ProxyHost {
  private static final int BAD_GATEWAY = 502;
  private static final int SERVICE_UNAVAILABLE = 503;

  private final String fqdn;
  private final VirtualHost host;
  private final FieldOrigin origin;
  private final HostPolicies policies;
  private final HeaderDefaults defaults;
  private final @Nullable HostAuthorization authorization;
  private final HostRateLimits rateLimits;
  private final HostPlan.Builder plan;
  private final List<OrderedRoute> orderedRoutes = new ArrayList<>();

  private ProxyHost(
      VirtualHost host,
      FieldOrigin origin,
      HostPolicies policies,
      HeaderDefaults defaults,
      @Nullable HostAuthorization authorization,
      HostRateLimits rateLimits,
      HostPlan.Builder plan) {
    this.fqdn = host.fqdn();
    this.host = host;
    this.origin = origin;
    this.policies = policies;
    this.defaults = defaults;
    this.authorization = authorization;
    this.rateLimits = rateLimits;
    this.plan = plan;
  }

  static void plan(
      IndexedObject root,
      FactReader reader,
      HttpOptions options,
      int mostRoutes,
      HostPlan.Builder plan) {
    if (!(root.typed() instanceof HttpProxy proxy) || proxy.virtualHost() == null) {
      return;
    }
    ObjectKey key = proxy.key();
    FieldOrigin origin = new FieldOrigin(key, root.generation(), "spec.virtualhost");
    Authorization authorization = References.authorization(proxy.virtualHost(), reader);
    VirtualHost host =
        HostRateLimits.withDefault(proxy.virtualHost(), reader).authorizedBy(authorization);
    ProxyHost planner =
        new ProxyHost(
            host,
            origin,
            new HostPolicies(reader, plan),
            reader.settings().headers(),
            HostAuthorization.of(proxy.virtualHost(), authorization, origin, reader, plan),
            new HostRateLimits(reader, plan),
            plan);
    planner.orderRoutes(RouteTree.of(root, reader, mostRoutes, plan));
    planner.planPlain();
    if (proxy.virtualHost().tls() != null) {
      TlsHost tls = new TlsHost(fqdnOf(proxy), proxy, root, reader, options, plan);
      if (proxy.tcpProxy() != null) {
        tls.planTcp();
      } else if (!proxy.virtualHost().tls().passthrough() && !planner.orderedRoutes.isEmpty()) {
        boolean fallback = tls.requireFallback();
        planner.planSecure(fallback);
        tls.planHttp(fallback);
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
    if (route != null && rateLimits.isMissing(route.rateLimits())) {
      // Without the service, nobody would count.
      return Routes.failing(
          RouteMatches.of(ordered.form().conditions(), fqdn), SERVICE_UNAVAILABLE);
    }
    return route == null
        ? Routes.failing(RouteMatches.of(ordered.form().conditions(), fqdn), BAD_GATEWAY)
        : Routes.of(ordered.spec(route, fqdn, defaults), ordered.form());
  }

  private FilterOverrides overrides(OrderedRoute ordered) {
    dev.holdfast.controlplane.objects.httpproxy.Route route = ordered.planned().route();
    if (route == null) {
      return FilterOverrides.NONE;
    }
    FilterOverrides ofPolicies =
        policies.ofRoute(ordered.origin().object(), ordered.planned().index());
    FilterOverrides authorized =
        authorization == null ? ofPolicies : authorization.ofRoute(ofPolicies, route);
    boolean limited =
        route.rateLimits().asksService()
            || (route.rateLimits().exempt() && host.rateLimits().asksService());
    return limited ? rateLimits.with(authorized, route.rateLimits(), ordered.origin()) : authorized;
  }

  private VirtualHostBuilder builder() {
    FilterOverrides ofPolicies = policies.ofHost(origin.object());
    FilterOverrides authorized =
        authorization == null ? ofPolicies : authorization.ofHost(ofPolicies);
    var virtualHost = VirtualHosts.of(fqdn, List.of(), FilterConfigs.of(host));
    return host.rateLimits().asksService()
        ? new VirtualHostBuilder(
            origin,
            VirtualHosts.limited(virtualHost, host.rateLimits()),
            rateLimits.with(authorized, host.rateLimits(), origin))
        : new VirtualHostBuilder(origin, virtualHost, authorized);
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

  /**
   * Plans the route table for TLS.
   *
   * @param fallback whether the same routes are for clients that name no host in TLS
   */
  private void planSecure(boolean fallback) {
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
    if (fallback) {
      plan.fallback(builder.fragment());
    }
  }
}
