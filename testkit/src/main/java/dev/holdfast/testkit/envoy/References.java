// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What listeners and clusters name without having it. */
final class References {
  private References() {}

  /** All filter chains, the default one last. */
  static List<FilterChain> chains(Listener listener) {
    List<FilterChain> chains = new ArrayList<>(listener.getFilterChainsList());
    if (listener.hasDefaultFilterChain()) {
      chains.add(listener.getDefaultFilterChain());
    }
    return chains;
  }

  /** The HTTP part of a filter chain, if it has one. */
  static Optional<HttpConnectionManager> http(FilterChain chain) {
    for (Filter filter : chain.getFiltersList()) {
      if (filter.getTypedConfig().is(HttpConnectionManager.class)) {
        return Optional.of(parse(filter.getTypedConfig(), HttpConnectionManager.parser()));
      }
    }
    return Optional.empty();
  }

  static List<Reference> routes(FilterChain chain) {
    return http(chain)
        .filter(HttpConnectionManager::hasRds)
        .map(
            http ->
                Reference.of(
                    http.getRds().getRouteConfigName(),
                    http.getRds().getConfigSource(),
                    "http.%s.rds.%s."
                        .formatted(
                            http.getStatPrefix(),
                            http.getRds().getRouteConfigName().replace(':', '_'))))
        .stream()
        .toList();
  }

  static List<Reference> filters(FilterChain chain) {
    return http(chain).stream()
        .flatMap(http -> http.getHttpFiltersList().stream())
        .filter(filter -> filter.hasConfigDiscovery())
        .map(
            filter ->
                Reference.of(
                    filter.getName(),
                    filter.getConfigDiscovery().getConfigSource(),
                    "extension_config_discovery.http_filter.%s.".formatted(filter.getName())))
        .toList();
  }

  static List<Reference> secrets(FilterChain chain) {
    Any config = chain.getTransportSocket().getTypedConfig();
    return config.is(DownstreamTlsContext.class)
        ? secrets(parse(config, DownstreamTlsContext.parser()).getCommonTlsContext())
        : List.of();
  }

  static List<Reference> secrets(Cluster cluster) {
    List<TransportSocket> sockets = new ArrayList<>(List.of(cluster.getTransportSocket()));
    cluster.getTransportSocketMatchesList().forEach(m -> sockets.add(m.getTransportSocket()));
    return sockets.stream()
        .map(TransportSocket::getTypedConfig)
        .filter(config -> config.is(UpstreamTlsContext.class))
        .flatMap(
            config ->
                secrets(parse(config, UpstreamTlsContext.parser()).getCommonTlsContext()).stream())
        .toList();
  }

  private static List<Reference> secrets(CommonTlsContext tls) {
    List<SdsSecretConfig> named = new ArrayList<>(tls.getTlsCertificateSdsSecretConfigsList());
    if (tls.hasValidationContextSdsSecretConfig()) {
      named.add(tls.getValidationContextSdsSecretConfig());
    }
    if (tls.getCombinedValidationContext().hasValidationContextSdsSecretConfig()) {
      named.add(tls.getCombinedValidationContext().getValidationContextSdsSecretConfig());
    }
    return named.stream()
        .filter(SdsSecretConfig::hasSdsConfig)
        .map(
            secret ->
                Reference.of(
                    secret.getName(), secret.getSdsConfig(), "sds.%s.".formatted(secret.getName())))
        .toList();
  }

  private static <M extends Message> M parse(Any any, Parser<M> parser) {
    try {
      return parser.parseFrom(any.getValue());
    } catch (InvalidProtocolBufferException e) {
      throw new RejectedException("Unable to parse " + any.getTypeUrl());
    }
  }
}
