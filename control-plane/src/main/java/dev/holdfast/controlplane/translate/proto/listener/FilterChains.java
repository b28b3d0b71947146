// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import java.util.List;

/** What becomes of the TLS connections to a host, by the name that clients ask for. */
public final class FilterChains {
  private static final String EVERY_HOST = "*";

  private FilterChains() {}

  /** TLS ends here, and there is HTTP in it. */
  public static FilterChain https(
      String fqdn, DownstreamTls tls, HttpConnectionManager manager, HttpOptions options) {
    return chain(fqdn)
        .setTransportSocket(DownstreamSockets.of(tls, DownstreamSockets.HTTP, options.ads()))
        .addFilters(HttpManagers.filter(manager))
        .build();
  }

  /** TLS ends here, and what is in it is sent on. */
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

  /** TLS does not end here. */
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
