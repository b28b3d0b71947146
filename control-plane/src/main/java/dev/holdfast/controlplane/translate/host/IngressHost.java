// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.ingress.Backend;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.ingress.PathRule;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.snapshot.Resource.Audience;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.IngressCheck;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.HeaderDefaults;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.index.ServicePorts;
import dev.holdfast.controlplane.translate.proto.listener.DownstreamTls;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import dev.holdfast.controlplane.translate.proto.route.IngressRoutes;
import dev.holdfast.controlplane.translate.proto.route.RouteConfigurations;
import dev.holdfast.controlplane.translate.proto.route.RouteMatches;
import dev.holdfast.controlplane.translate.proto.route.Routes;
import dev.holdfast.controlplane.translate.proto.route.VirtualHosts;
import io.envoyproxy.envoy.config.route.v3.Route;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plans a host that ingresses share. If two ingresses use the same path, or both have a
 * certificate, the older one wins.
 */
final class IngressHost {
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final PathRule.Match FALLBACK = PathRule.Match.PREFIX;

  private final String host;
  private final FactReader reader;
  private final int mostRoutes;
  private final HostPlan.Builder plan;
  private final Map<String, IngressPath> byPath = new TreeMap<>();
  private final List<IngressPath> paths = new ArrayList<>();

  /** Those with paths that the host has no room for. */
  private final Set<ObjectKey> full = new HashSet<>();

  /** A path of an ingress. */
  private record IngressPath(FieldOrigin origin, Ingress ingress, PathRule rule) {}

  private IngressHost(String host, FactReader reader, int mostRoutes, HostPlan.Builder plan) {
    this.host = host;
    this.reader = reader;
    this.mostRoutes = mostRoutes;
    this.plan = plan;
  }

  static void plan(
      String host,
      List<ObjectKey> keys,
      FactReader reader,
      HttpOptions options,
      int mostRoutes,
      HostPlan.Builder plan) {
    IngressHost planner = new IngressHost(host, reader, mostRoutes, plan);
    List<IndexedObject> ingresses = new ArrayList<>();
    for (ObjectKey key : keys) {
      IndexedObject indexed = reader.indexed(key);
      if (indexed != null && indexed.typed() instanceof Ingress) {
        ingresses.add(indexed);
      }
    }
    ingresses.sort(
        Comparator.comparing((IndexedObject indexed) -> indexed.object().created())
            .thenComparing(indexed -> indexed.object().key()));
    ingresses.forEach(planner::addRules);
    ingresses.forEach(planner::addDefaultBackend);
    planner.paths.sort(Comparator.comparing(IngressPath::rule, RouteOrder.PATHS));
    if (!planner.paths.isEmpty()) {
      planner.planRoutes(ingresses, options);
    }
  }

  private void addRules(IndexedObject indexed) {
    if (!(indexed.typed() instanceof Ingress ingress)) {
      return;
    }
    plan.addMember(ingress.key());
    for (int i = 0; i < ingress.rules().size(); i++) {
      Ingress.Rule rule = ingress.rules().get(i);
      if (!rule.host().equals(host)) {
        continue;
      }
      String field = "spec.rules[" + i + "]";
      for (int j = 0; j < rule.paths().size(); j++) {
        add(indexed, ingress, field + ".http.paths[" + j + "]", rule.paths().get(j));
      }
      if (rule.paths().isEmpty() && ingress.defaultBackend() != null) {
        add(indexed, ingress, field, everything(ingress.defaultBackend()));
      }
    }
  }

  /**
   * Adds the backend for requests that no rule of any ingress matches; the host {@code *} stands
   * for all hosts without rules.
   */
  private void addDefaultBackend(IndexedObject indexed) {
    if (host.equals("*")
        && indexed.typed() instanceof Ingress ingress
        && ingress.defaultBackend() != null) {
      add(indexed, ingress, "spec.defaultBackend", everything(ingress.defaultBackend()));
    }
  }

  private static PathRule everything(Backend backend) {
    return new PathRule("/", FALLBACK, backend);
  }

  private void add(IndexedObject indexed, Ingress ingress, String field, PathRule rule) {
    if (paths.size() >= mostRoutes) {
      if (full.add(ingress.key())) {
        plan.addProblem(
            ingress.key(),
            ObjectProblem.error(
                field,
                "the host has "
                    + mostRoutes
                    + " routes already, this one and what follows is ignored"
                    + " (expected: fewer, limit routesPerHost)"));
      }
      return;
    }
    IngressPath path =
        new IngressPath(new FieldOrigin(ingress.key(), indexed.generation(), field), ingress, rule);
    IngressPath first = byPath.putIfAbsent(rule.match() + " " + rule.path(), path);
    if (first == null) {
      paths.add(path);
    } else if (!first.ingress().key().equals(ingress.key()) || !first.rule().equals(rule)) {
      boolean own = first.ingress().key().equals(ingress.key());
      String message =
          "never used: "
              + first.origin().field()
              + (own ? "" : " of " + first.ingress().key())
              + " has the same path (expected: each path of a host once)";
      plan.addProblem(
          ingress.key(),
          own ? ObjectProblem.error(field, message) : ObjectProblem.conflict(field, message));
    }
  }

  private void planRoutes(List<IndexedObject> ingresses, HttpOptions options) {
    FieldOrigin origin =
        paths.stream().map(IngressPath::origin).min(byAge(ingresses)).orElseThrow();
    VirtualHostBuilder plain = builder(origin);
    VirtualHostBuilder secure = builder(origin);
    for (IngressPath path : paths) {
      PlannedCluster cluster = cluster(path.ingress(), path.rule().backend());
      List<String> clusters = cluster == null ? List.of() : List.of(cluster.name());
      if (cluster != null) {
        plan.require(cluster, path.origin());
      }
      Route route = route(path, cluster);
      secure.add(path.origin(), route, clusters);
      if (path.ingress().settings().forceSslRedirect()) {
        plain.add(path.origin(), Routes.httpsRedirect(route.getMatch()), List.of());
      } else if (path.ingress().settings().allowHttp()) {
        plain.add(path.origin(), route, clusters);
      }
    }
    if (plain.hasRoutes()) {
      plan.plain(plain.fragment());
    }
    chooseCertificate(ingresses, secure, options);
  }

  private static Comparator<FieldOrigin> byAge(List<IndexedObject> ingresses) {
    List<ObjectKey> order = ingresses.stream().map(indexed -> indexed.object().key()).toList();
    return Comparator.comparingInt((FieldOrigin origin) -> order.indexOf(origin.object()))
        .thenComparing(FieldOrigin::field);
  }

  private VirtualHostBuilder builder(FieldOrigin origin) {
    return new VirtualHostBuilder(
        origin, VirtualHosts.of(host, List.of(), Collections.emptySortedMap()));
  }

  private Route route(IngressPath path, @Nullable PlannedCluster cluster) {
    if (cluster == null) {
      return Routes.failing(RouteMatches.of(path.rule(), host), SERVICE_UNAVAILABLE);
    }
    Route route = IngressRoutes.of(path.rule(), host, cluster.name(), path.ingress().settings());
    HeaderDefaults defaults = reader.settings().headers();
    return defaults.ingresses()
        ? IngressRoutes.withHeaders(
            route,
            defaults.request(),
            defaults.response(),
            Map.of(
                "CONTOUR_NAMESPACE", path.ingress().key().namespace(),
                "CONTOUR_SERVICE_NAME", cluster.service().name(),
                "CONTOUR_SERVICE_PORT", String.valueOf(cluster.port().port())))
        : route;
  }

  private @Nullable PlannedCluster cluster(Ingress ingress, Backend backend) {
    ObjectKey service = References.service(ingress.key().namespace(), backend.service());
    ServicePorts ports = reader.ports(service);
    Service.Port port =
        backend.portNumber() == 0
            ? ports.port(backend.portName())
            : ports.port(backend.portNumber());
    if (port == null) {
      String problem = IngressCheck.problem(reader, ingress.key().namespace(), backend);
      if (problem != null && backend.portNumber() != 0) {
        AbsentResources.service(plan, service, backend.portNumber(), problem);
      }
      return null;
    }
    return new PlannedCluster(
        ResourceNames.plainCluster(service, port.port()),
        service,
        port,
        ClusterPolicy.PLAIN,
        ports.protocol(port),
        ports.externalName(),
        null);
  }

  private void chooseCertificate(
      List<IndexedObject> ingresses, VirtualHostBuilder secure, HttpOptions options) {
    ObjectKey certificateOwner = null;
    ObjectKey certificate = null;
    for (IndexedObject indexed : ingresses) {
      if (!(indexed.typed() instanceof Ingress ingress)) {
        continue;
      }
      for (int i = 0; i < ingress.tls().size(); i++) {
        Ingress.Tls tls = ingress.tls().get(i);
        if (!tls.hosts().contains(host) || tls.secretName().isEmpty()) {
          continue;
        }
        FieldOrigin origin =
            new FieldOrigin(ingress.key(), indexed.generation(), "spec.tls[" + i + "]");
        ObjectKey secret = IngressCheck.secret(ingress, tls.secretName());
        String problem =
            References.problem(reader, secret, ingress.key().namespace(), References.Use.SERVER);
        if (problem != null) {
          plan.addAbsenceReason(ResourceNames.serverCertificate(secret), problem);
        } else if (certificateOwner == null) {
          certificateOwner = ingress.key();
          certificate = secret;
          planTls(ingress, secret, origin, secure, options);
        } else if (!secret.equals(certificate)) {
          plan.addProblem(
              ingress.key(),
              ObjectProblem.conflict(
                  origin.field(),
                  "not used for "
                      + host
                      + ": "
                      + certificateOwner
                      + " has another certificate (expected: the same one, or none)"));
        }
      }
    }
  }

  private void planTls(
      Ingress ingress,
      ObjectKey secret,
      FieldOrigin origin,
      VirtualHostBuilder secure,
      HttpOptions options) {
    SecretDemand certificate = SecretDemand.server(secret);
    plan.require(certificate);
    plan.addResource(
        secure.resource(
            ResourceNames.tlsRoutes(host),
            RouteConfigurations.of(
                ResourceNames.tlsRoutes(host).name(), List.of(VirtualHosts.misdirected())),
            Audience.ALL));
    plan.chain(
        TlsHost.chain(
            host,
            new DownstreamTls(
                certificate.id().name(),
                ingress.settings().tlsMinimum(),
                ingress.settings().tlsMaximum(),
                null),
            origin,
            Collections.emptySortedSet(),
            options));
  }
}
