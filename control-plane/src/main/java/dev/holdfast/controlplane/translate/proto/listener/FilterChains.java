// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import java.util.List;

/** Filter chains for the TLS connections of a host, selected by SNI. */
public final class FilterChains {
  private static final String EVERY_HOST = "*";

  private FilterChains() {}

  /** Terminates TLS and serves HTTP. */
  public static FilterChain https(
      String fqdn, DownstreamTls tls, HttpConnectionManager manager, HttpOptions options) {
    return chain(fqdn)
        .setTransportSocket(DownstreamSockets.of(tls, DownstreamSockets.HTTP, options.ads()))
        .addFilters(HttpManagers.filter(manager))
        .build();
  }

  /** Terminates TLS and serves HTTP for clients that name no host, or an unknown one. */
  public static FilterChain fallback(
      String name, DownstreamTls tls, HttpConnectionManager manager, HttpOptions options) {
    return FilterChain.newBuilder()
        .setName(name)
        .setFilterChainMatch(FilterChainMatch.newBuilder().setTransportProtocol("tls"))
        .setTransportSocket(DownstreamSockets.of(tls, DownstreamSockets.HTTP, options.ads()))
        .addFilters(HttpManagers.filter(manager))
        .build();
  }

  /** Terminates TLS and forwards the bytes. */
  public static FilterChain tcp(
      String fqdn,
      DownstreamTls tls,
      String statPrefix,
      List<TcpTarget> targets,
      HttpOptions options) {
    return chain(fqdn)
        .setTransportSocket(DownstreamSockets.of(tls, List.of(), options.ads()))
        .addFilters(TcpProxies.filter(statPrefix, targets, options))
        .build();
  }

  /** Forwards the connection without terminating TLS. */
  public static FilterChain passthrough(
      String fqdn, String statPrefix, List<TcpTarget> targets, HttpOptions options) {
    return chain(fqdn).addFilters(TcpProxies.filter(statPrefix, targets, options)).build();
  }

  private static FilterChain.Builder chain(String fqdn) {
    FilterChainMatch.Builder match = FilterChainMatch.newBuilder().setTransportProtocol("tls");
    if (!fqdn.equals(EVERY_HOST)) {
      match.addServerNames(fqdn);
    }
    return FilterChain.newBuilder().setName(fqdn).setFilterChainMatch(match);
  }
}
