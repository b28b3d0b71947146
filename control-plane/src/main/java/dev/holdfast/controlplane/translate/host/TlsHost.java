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
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
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

/**
 * Plans the filter chain of a root. The chain refers to certificates and routes by name, and
 * contains nothing that an author wrote.
 */
final class TlsHost {
  private static final String WILDCARD = "*.";

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

  /**
   * Requires the certificate for clients that name no host in TLS, or an unknown one; false if the
   * host is not for them, or there is no certificate that can be used.
   */
  boolean requireFallback() {
    Tls tls = proxy.virtualHost() == null ? null : proxy.virtualHost().tls();
    ObjectKey secret = reader.settings().fallbackCertificate();
    if (tls == null
        || !tls.fallback()
        || secret == null
        || References.fallbackProblem(reader, proxy.key().namespace()) != null) {
      return false;
    }
    plan.require(SecretDemand.server(secret));
    return true;
  }

  /**
   * Plans a chain that terminates TLS and serves HTTP.
   *
   * @param fallback whether there is also the chain that all hosts share for other clients. It is a
   *     part of every host that asks for it, so that each of them can be found if it is rejected.
   */
  void planHttp(boolean fallback) {
    DownstreamTls tls = downstream();
    if (tls != null) {
      Fragment chain =
          chain(fqdn, tls, origin(root, "spec.virtualhost.tls"), plan.filters(), options);
      plan.chain(
          fallback
              ? chain.withPart(
                  proxy.key(), Digests.of(List.of(chain.parts().get(proxy.key()), "fallback")))
              : chain);
    }
  }

  static Fragment chain(
      String host,
      DownstreamTls tls,
      FieldOrigin origin,
      SortedSet<FilterUse> filters,
      HttpOptions options) {
    SortedMap<ObjectKey, List<String>> versionsByPolicy = new TreeMap<>();
    List<HttpFilter> extensions = new ArrayList<>();
    for (FilterUse use : filters) {
      extensions.add(use.filter(options.ads()));
      versionsByPolicy
          .computeIfAbsent(use.policy(), unused -> new ArrayList<>())
          .add(use.version());
    }
    SortedSet<String> filterNames = new TreeSet<>();
    filters.forEach(use -> filterNames.add(use.name()));
    SortedMap<ObjectKey, String> parts = new TreeMap<>();
    versionsByPolicy.forEach((policy, versions) -> parts.put(policy, Digests.of(versions)));
    return fragment(
        message(host, tls, extensions, options), origin, parts, new TreeSet<>(), filterNames);
  }

  private static FilterChain message(
      String host, DownstreamTls tls, List<HttpFilter> extensions, HttpOptions options) {
    if (host.equals(FallbackChain.NAME)) {
      return FilterChains.fallback(
          host,
          tls,
          HttpManagers.of(
              "ingress_https", ResourceNames.FALLBACK_ROUTES.name(), extensions, options),
          options);
    }
    HttpConnectionManager manager =
        HttpManagers.forwarding(
            HttpManagers.of(
                "ingress_https", ResourceNames.tlsRoutes(host).name(), extensions, options),
            tls.clients() == null ? null : tls.clients().forward());
    return FilterChains.https(
        host,
        tls,
        host.startsWith(WILDCARD) ? HttpManagers.forNamedHost(manager) : manager,
        options);
  }

  private static Fragment fragment(
      FilterChain chain,
      FieldOrigin origin,
      SortedMap<ObjectKey, String> parts,
      SortedSet<String> clusters,
      SortedSet<String> filters) {
    var bytes = Digests.serialise(chain);
    parts.putIfAbsent(origin.object(), Digests.of(bytes));
    return new Fragment(
        bytes, Digests.of(bytes), parts, clusters, filters, origin, List.of(), List.of());
  }

  private static FieldOrigin origin(IndexedObject indexed, String field) {
    return new FieldOrigin(indexed.object().key(), indexed.generation(), field);
  }

  private @Nullable DownstreamTls downstream() {
    Tls tls = proxy.virtualHost() == null ? null : proxy.virtualHost().tls();
    if (tls == null || tls.secretName() == null) {
      return null;
    }
    String namespace = proxy.key().namespace();
    SecretDemand certificate = SecretDemand.server(References.secret(tls.secretName(), namespace));
    plan.require(certificate);
    DownstreamTls.Clients clients = null;
    Tls.ClientValidation validation = tls.clientValidation();
    if (validation != null) {
      String authority = null;
      if (validation.caSecret() != null) {
        SecretDemand demand =
            SecretDemand.authority(References.secret(validation.caSecret(), namespace));
        if (validation.crlSecret() != null) {
          demand = demand.revoking(References.secret(validation.crlSecret(), namespace));
        }
        plan.require(demand);
        authority = demand.id().name();
      }
      clients = DownstreamTls.Clients.of(validation, authority);
    }
    return new DownstreamTls(certificate.id().name(), tls.minimum(), tls.maximum(), clients);
  }

  /** Plans a chain that forwards connections, with or without terminating TLS. */
  void planTcp() {
    IndexedObject source = tcpProxySource();
    if (source == null || !(source.typed() instanceof HttpProxy tcpOwner)) {
      return;
    }
    FieldOrigin origin = origin(source, "spec.tcpproxy");
    List<TcpTarget> targets = targets(tcpOwner, origin);
    if (targets.isEmpty()) {
      return;
    }
    DownstreamTls tls = downstream();
    FilterChain chain =
        tls == null
            ? FilterChains.passthrough(fqdn, "ingress_https", targets, options)
            : FilterChains.tcp(fqdn, tls, "ingress_https", targets, options);
    SortedMap<ObjectKey, String> parts = new TreeMap<>();
    List<String> targetTexts = new ArrayList<>();
    SortedSet<String> clusters = new TreeSet<>();
    for (TcpTarget target : targets) {
      targetTexts.add(target.cluster());
      targetTexts.add(Long.toString(target.weight()));
      clusters.add(target.cluster());
    }
    if (!tcpOwner.key().equals(proxy.key())) {
      parts.put(tcpOwner.key(), Digests.of(targetTexts));
    }
    plan.chain(
        fragment(chain, origin(root, "spec.virtualhost.tls"), parts, clusters, new TreeSet<>()));
  }

  private List<TcpTarget> targets(HttpProxy tcpOwner, FieldOrigin origin) {
    List<TcpTarget> targets = new ArrayList<>();
    if (tcpOwner.tcpProxy() != null) {
      List<@Nullable PlannedCluster> clusters = ProxyClusters.of(tcpOwner, reader).ofTcp();
      for (int i = 0; i < clusters.size(); i++) {
        RouteService service = tcpOwner.tcpProxy().services().get(i);
        PlannedCluster cluster = clusters.get(i);
        if (cluster == null) {
          AbsentResources.service(reader, plan, tcpOwner.key().namespace(), service);
        } else {
          plan.require(cluster, origin);
          targets.add(new TcpTarget(cluster.name(), service.weight()));
        }
      }
    }
    return targets;
  }

  /**
   * The proxy whose tcpproxy names the services: the root, or one that it includes; null if there
   * is none.
   */
  private @Nullable IndexedObject tcpProxySource() {
    IndexedObject indexed = root;
    Set<ObjectKey> seen = new HashSet<>();
    while (indexed != null
        && seen.add(indexed.object().key())
        && indexed.typed() instanceof HttpProxy current
        && current.tcpProxy() != null) {
      plan.addMember(current.key());
      TcpProxy.Target include = current.tcpProxy().include();
      if (include == null) {
        return indexed;
      }
      ObjectKey target = References.target(include);
      indexed = References.includeProblem(reader, target) == null ? reader.indexed(target) : null;
    }
    return null;
  }
}
