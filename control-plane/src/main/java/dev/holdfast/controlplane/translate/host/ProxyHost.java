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

/** The host of a root HTTPProxy that can be served. */
final class ProxyHost {
  private static final int BAD_GATEWAY = 502;

  private final String fqdn;
  private final VirtualHost host;
  private final FieldOrigin origin;
  private final HostPolicies extensions;
  private final HostPlan.Builder plan;
  private final List<OrderedRoute> lines = new ArrayList<>();

  private ProxyHost(
      VirtualHost host, FieldOrigin origin, HostPolicies extensions, HostPlan.Builder plan) {
    this.fqdn = host.fqdn();
    this.host = host;
    this.origin = origin;
    this.extensions = extensions;
    this.plan = plan;
  }

  static void plan(
      IndexedObject root, FactReader reader, HttpOptions options, HostPlan.Builder plan) {
    if (!(root.typed() instanceof HttpProxy proxy) || proxy.virtualHost() == null) {
      return;
    }
    ObjectKey key = proxy.key();
    ProxyHost made =
        new ProxyHost(
            proxy.virtualHost(),
            new FieldOrigin(key, root.generation(), "spec.virtualhost"),
            new HostPolicies(reader, plan),
            plan);
    made.lines(RouteTree.of(root, reader, plan));
    made.plain();
    if (proxy.virtualHost().tls() != null) {
      TlsHost tls = new TlsHost(fqdnOf(proxy), proxy, root, reader, options, plan);
      if (proxy.tcpProxy() != null) {
        tls.tcp();
      } else if (!proxy.virtualHost().tls().passthrough() && !made.lines.isEmpty()) {
        made.secure();
        tls.http();
      }
    }
    if (!fqdnOf(proxy).startsWith("*") && !made.lines.isEmpty()) {
      ApiHost.plan(made.fqdn, made.origin, made.lines, options, plan);
    }
  }

  private static String fqdnOf(HttpProxy proxy) {
    return proxy.virtualHost() == null ? "" : proxy.virtualHost().fqdn();
  }

  private void lines(Collection<PlannedRoute> routes) {
    Set<Conditions> written = new HashSet<>();
    routes.forEach(route -> written.add(route.conditions()));
    for (PlannedRoute planned : routes) {
      planned.upstreams().forEach(upstream -> plan.needs(upstream.cluster(), planned.origin()));
      if (planned.route() == null) {
        lines.add(
            new OrderedRoute(
                planned, new RouteForm(planned.conditions(), null, RouteForm.Origin.WRITTEN)));
      } else {
        Rewrites.forms(planned.route(), planned.conditions(), written::contains)
            .forEach(form -> lines.add(new OrderedRoute(planned, form)));
      }
    }
    lines.sort(
        Comparator.comparing(
            (OrderedRoute line) -> line.form().conditions(), RouteOrder.CONDITIONS));
  }

  private Route route(OrderedRoute line) {
    dev.holdfast.controlplane.objects.httpproxy.Route route = line.planned().route();
    return route == null
        ? Routes.failing(RouteMatches.of(line.form().conditions(), fqdn), BAD_GATEWAY)
        : Routes.of(line.spec(route, fqdn), line.form());
  }

  private FilterOverrides overlay(OrderedRoute line) {
    return line.planned().route() == null
        ? FilterOverrides.NONE
        : extensions.ofRoute(line.origin().object(), line.planned().index());
  }

  private VirtualHostBuilder table() {
    return new VirtualHostBuilder(
        origin,
        VirtualHosts.of(fqdn, List.of(), FilterConfigs.of(host)),
        extensions.ofHost(origin.object()));
  }

  /** Without TLS; if the host has TLS, most of it is where to find that. */
  private void plain() {
    VirtualHostBuilder table = table();
    for (OrderedRoute line : lines) {
      if (host.tls() == null || line.planned().permitInsecure()) {
        table.add(line.origin(), route(line), overlay(line), line.needs());
      } else {
        table.add(
            line.origin(),
            Routes.httpsRedirect(RouteMatches.of(line.form().conditions(), fqdn)),
            List.of());
      }
    }
    if (table.hasRoutes()) {
      plan.plain(table.fragment());
    }
  }

  /** With TLS. */
  private void secure() {
    VirtualHostBuilder table = table();
    lines.forEach(line -> table.add(line.origin(), route(line), overlay(line), line.needs()));
    plan.own(
        table.resource(
            ResourceNames.tlsRoutes(fqdn),
            RouteConfigurations.of(
                ResourceNames.tlsRoutes(fqdn).name(), List.of(VirtualHosts.misdirected())),
            Audience.ALL));
  }
}
