// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.TcpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.proto.listener.DownstreamTls;
import dev.holdfast.controlplane.translate.proto.listener.FilterChains;
import dev.holdfast.controlplane.translate.proto.listener.HttpManagers;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import dev.holdfast.controlplane.translate.proto.listener.TcpTarget;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The filter chain of a root: certificates and routes by name, nothing that an author wrote. */
final class TlsHost {
  private final String fqdn;
  private final HttpProxy proxy;
  private final IndexedObject root;
  private final FactReader reader;
  private final HttpOptions options;
  private final HostPlan.Builder plan;

  TlsHost(
      String fqdn,
      HttpProxy proxy,
      IndexedObject root,
      FactReader reader,
      HttpOptions options,
      HostPlan.Builder plan) {
    this.fqdn = fqdn;
    this.proxy = proxy;
    this.root = root;
    this.reader = reader;
    this.options = options;
    this.plan = plan;
  }

  /** TLS ends here, and there is HTTP in it. */
  void http() {
    DownstreamTls tls = downstream();
    if (tls != null) {
      plan.chain(chain(fqdn, tls, origin(root, "spec.virtualhost.tls"), plan.filters(), options));
    }
  }

  static Fragment chain(
      String host,
      DownstreamTls tls,
      FieldOrigin origin,
      SortedSet<FilterUse> filters,
      HttpOptions options) {
    SortedMap<ObjectKey, List<String>> said = new TreeMap<>();
    List<HttpFilter> extensions = new ArrayList<>();
    for (FilterUse use : filters) {
      extensions.add(use.filter(options.ads()));
      said.computeIfAbsent(use.policy(), unused -> new ArrayList<>()).add(use.version());
    }
    SortedMap<ObjectKey, String> parts = new TreeMap<>();
    said.forEach((policy, versions) -> parts.put(policy, Digests.of(versions)));
    FilterChain chain =
        FilterChains.https(
            host,
            tls,
            HttpManagers.of(
                "ingress_https", ResourceNames.tlsRoutes(host).name(), extensions, options),
            options);
    return fragment(chain, origin, parts, new TreeSet<>());
  }

  private static Fragment fragment(
      FilterChain chain,
      FieldOrigin origin,
      SortedMap<ObjectKey, String> parts,
      SortedSet<String> clusters) {
    var bytes = Digests.serialise(chain);
    parts.putIfAbsent(origin.object(), Digests.of(bytes));
    return new Fragment(bytes, Digests.of(bytes), parts, clusters, origin, List.of(), List.of());
  }

  private static FieldOrigin origin(IndexedObject input, String field) {
    return new FieldOrigin(input.object().key(), input.generation(), field);
  }

  private @Nullable DownstreamTls downstream() {
    Tls tls = proxy.virtualHost() == null ? null : proxy.virtualHost().tls();
    if (tls == null || tls.secretName() == null) {
      return null;
    }
    String namespace = proxy.key().namespace();
    SecretDemand certificate =
        new SecretDemand(References.secret(tls.secretName(), namespace), References.Use.SERVER);
    plan.needs(certificate);
    DownstreamTls.Clients clients = null;
    Tls.ClientValidation validation = tls.clientValidation();
    if (validation != null) {
      String authority = null;
      if (validation.caSecret() != null) {
        SecretDemand demand =
            new SecretDemand(
                References.secret(validation.caSecret(), namespace), References.Use.AUTHORITY);
        plan.needs(demand);
        authority = demand.id().name();
      }
      clients = DownstreamTls.Clients.of(validation, authority);
    }
    return new DownstreamTls(certificate.id().name(), tls.minimum(), tls.maximum(), clients);
  }

  /** What comes is sent on, with or without the TLS around it. */
  void tcp() {
    IndexedObject teller = teller();
    if (teller == null || !(teller.typed() instanceof HttpProxy told)) {
      return;
    }
    FieldOrigin origin = origin(teller, "spec.tcpproxy");
    List<TcpTarget> targets = targets(told, origin);
    if (targets.isEmpty()) {
      return;
    }
    DownstreamTls tls = downstream();
    FilterChain chain =
        tls == null
            ? FilterChains.passthrough(fqdn, "ingress_https", targets, options)
            : FilterChains.tcp(fqdn, tls, "ingress_https", targets, options);
    SortedMap<ObjectKey, String> parts = new TreeMap<>();
    List<String> said = new ArrayList<>();
    SortedSet<String> clusters = new TreeSet<>();
    for (TcpTarget target : targets) {
      said.add(target.cluster());
      said.add(Long.toString(target.weight()));
      clusters.add(target.cluster());
    }
    if (!told.key().equals(proxy.key())) {
      parts.put(told.key(), Digests.of(said));
    }
    plan.chain(fragment(chain, origin(root, "spec.virtualhost.tls"), parts, clusters));
  }

  private List<TcpTarget> targets(HttpProxy told, FieldOrigin origin) {
    List<TcpTarget> targets = new ArrayList<>();
    if (told.tcpProxy() != null) {
      List<@Nullable PlannedCluster> clusters = ProxyClusters.of(told, reader).ofTcp();
      for (int i = 0; i < clusters.size(); i++) {
        RouteService service = told.tcpProxy().services().get(i);
        PlannedCluster cluster = clusters.get(i);
        if (cluster == null) {
          AbsentResources.service(reader, plan, told.key().namespace(), service);
        } else {
          plan.needs(cluster, origin);
          targets.add(new TcpTarget(cluster.name(), service.weight()));
        }
      }
    }
    return targets;
  }

  /** The proxy whose tcpproxy says where to: this one, or one that it includes; null if none. */
  private @Nullable IndexedObject teller() {
    IndexedObject input = root;
    Set<ObjectKey> seen = new HashSet<>();
    while (input != null
        && seen.add(input.object().key())
        && input.typed() instanceof HttpProxy here
        && here.tcpProxy() != null) {
      plan.visit(here.key());
      TcpProxy.Target include = here.tcpProxy().include();
      if (include == null) {
        return input;
      }
      ObjectKey target = References.target(include);
      input = References.includeProblem(reader, target) == null ? reader.input(target) : null;
    }
    return null;
  }
}
