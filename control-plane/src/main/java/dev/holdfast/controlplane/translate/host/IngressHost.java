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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A host that ingresses share. Of two that want the same path, or the certificate, the older one
 * has it.
 */
final class IngressHost {
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final PathRule.Match FALLBACK = PathRule.Match.PREFIX;

  private final String host;
  private final FactReader reader;
  private final HostPlan.Builder plan;
  private final Map<String, Line> byPath = new TreeMap<>();
  private final List<Line> lines = new ArrayList<>();

  /** A path of an ingress. */
  private record Line(FieldOrigin origin, Ingress ingress, PathRule rule) {}

  private IngressHost(String host, FactReader reader, HostPlan.Builder plan) {
    this.host = host;
    this.reader = reader;
    this.plan = plan;
  }

  static void plan(
      String host,
      List<ObjectKey> ingresses,
      FactReader reader,
      HttpOptions options,
      HostPlan.Builder plan) {
    IngressHost made = new IngressHost(host, reader, plan);
    List<IndexedObject> inputs = new ArrayList<>();
    for (ObjectKey key : ingresses) {
      IndexedObject input = reader.input(key);
      if (input != null && input.typed() instanceof Ingress) {
        inputs.add(input);
      }
    }
    inputs.sort(
        Comparator.comparing((IndexedObject input) -> input.object().created())
            .thenComparing(input -> input.object().key()));
    inputs.forEach(made::rules);
    inputs.forEach(made::defaultBackend);
    made.lines.sort(Comparator.comparing(Line::rule, RouteOrder.PATHS));
    if (!made.lines.isEmpty()) {
      made.tables(inputs, options);
    }
  }

  private void rules(IndexedObject input) {
    if (!(input.typed() instanceof Ingress ingress)) {
      return;
    }
    plan.visit(ingress.key());
    for (int i = 0; i < ingress.rules().size(); i++) {
      Ingress.Rule rule = ingress.rules().get(i);
      if (!rule.host().equals(host)) {
        continue;
      }
      String field = "spec.rules[" + i + "]";
      for (int j = 0; j < rule.paths().size(); j++) {
        add(input, ingress, field + ".http.paths[" + j + "]", rule.paths().get(j));
      }
      if (rule.paths().isEmpty() && ingress.defaultBackend() != null) {
        add(input, ingress, field, everything(ingress.defaultBackend()));
      }
    }
  }

  /** What no rule of any ingress wants; hosts that no rule names are all the host {@code *}. */
  private void defaultBackend(IndexedObject input) {
    if (host.equals("*")
        && input.typed() instanceof Ingress ingress
        && ingress.defaultBackend() != null) {
      add(input, ingress, "spec.defaultBackend", everything(ingress.defaultBackend()));
    }
  }

  private static PathRule everything(Backend backend) {
    return new PathRule("/", FALLBACK, backend);
  }

  private void add(IndexedObject input, Ingress ingress, String field, PathRule rule) {
    Line line = new Line(new FieldOrigin(ingress.key(), input.generation(), field), ingress, rule);
    Line first = byPath.putIfAbsent(rule.match() + " " + rule.path(), line);
    if (first == null) {
      lines.add(line);
    } else if (!first.ingress().key().equals(ingress.key()) || !first.rule().equals(rule)) {
      plan.remark(
          ingress.key(),
          ObjectProblem.warning(
              field,
              "never used: "
                  + first.origin().field()
                  + (first.ingress().key().equals(ingress.key())
                      ? ""
                      : " of " + first.ingress().key())
                  + " has the same path"));
    }
  }

  private void tables(List<IndexedObject> inputs, HttpOptions options) {
    FieldOrigin origin = lines.stream().map(Line::origin).min(byAge(inputs)).orElseThrow();
    VirtualHostBuilder plain = table(origin);
    VirtualHostBuilder secure = table(origin);
    for (Line line : lines) {
      PlannedCluster cluster = cluster(line.ingress(), line.rule().backend());
      List<String> needs = cluster == null ? List.of() : List.of(cluster.name());
      if (cluster != null) {
        plan.needs(cluster, line.origin());
      }
      Route route = route(line, cluster);
      secure.add(line.origin(), route, needs);
      if (line.ingress().settings().forceSslRedirect()) {
        plain.add(line.origin(), Routes.httpsRedirect(route.getMatch()), List.of());
      } else if (line.ingress().settings().allowHttp()) {
        plain.add(line.origin(), route, needs);
      }
    }
    if (plain.hasRoutes()) {
      plan.plain(plain.fragment());
    }
    tls(inputs, secure, options);
  }

  private static Comparator<FieldOrigin> byAge(List<IndexedObject> inputs) {
    List<ObjectKey> order = inputs.stream().map(input -> input.object().key()).toList();
    return Comparator.comparingInt((FieldOrigin origin) -> order.indexOf(origin.object()))
        .thenComparing(FieldOrigin::field);
  }

  private VirtualHostBuilder table(FieldOrigin origin) {
    return new VirtualHostBuilder(
        origin, VirtualHosts.of(host, List.of(), Collections.emptySortedMap()));
  }

  private Route route(Line line, @Nullable PlannedCluster cluster) {
    return cluster == null
        ? Routes.failing(RouteMatches.of(line.rule(), host), SERVICE_UNAVAILABLE)
        : IngressRoutes.of(line.rule(), host, cluster.name(), line.ingress().settings());
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
        null);
  }

  private void tls(List<IndexedObject> inputs, VirtualHostBuilder secure, HttpOptions options) {
    ObjectKey winner = null;
    for (IndexedObject input : inputs) {
      if (!(input.typed() instanceof Ingress ingress)) {
        continue;
      }
      for (int i = 0; i < ingress.tls().size(); i++) {
        Ingress.Tls tls = ingress.tls().get(i);
        if (!tls.hosts().contains(host) || tls.secretName().isEmpty()) {
          continue;
        }
        FieldOrigin origin =
            new FieldOrigin(ingress.key(), input.generation(), "spec.tls[" + i + "]");
        ObjectKey secret = IngressCheck.secret(ingress, tls.secretName());
        String problem =
            References.problem(reader, secret, ingress.key().namespace(), References.Use.SERVER);
        if (problem != null) {
          plan.reason(ResourceNames.serverCertificate(secret), problem);
        } else if (winner == null) {
          winner = ingress.key();
          serve(ingress, secret, origin, secure, options);
        } else {
          plan.remark(
              ingress.key(),
              ObjectProblem.warning(
                  origin.field(), "not used for " + host + ": " + winner + " has a certificate"));
        }
      }
    }
  }

  private void serve(
      Ingress ingress,
      ObjectKey secret,
      FieldOrigin origin,
      VirtualHostBuilder secure,
      HttpOptions options) {
    SecretDemand certificate = new SecretDemand(secret, References.Use.SERVER);
    plan.needs(certificate);
    plan.own(
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
