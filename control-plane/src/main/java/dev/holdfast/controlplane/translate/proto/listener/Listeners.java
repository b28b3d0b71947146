// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.listener.v3.ApiListener;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.listener.v3.ListenerFilter;
import io.envoyproxy.envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import java.util.List;

/** Listeners on ports, and API listeners for clients without ports. */
public final class Listeners {
  private static final ListenerFilter TLS_INSPECTOR =
      ListenerFilter.newBuilder()
          .setName("envoy.filters.listener.tls_inspector")
          .setTypedConfig(Anys.of(TlsInspector.getDefaultInstance()))
          .build();

  private Listeners() {}

  /** A listener for plain HTTP. */
  public static Listener http(String name, BindAddress address, HttpConnectionManager manager) {
    return Listener.newBuilder()
        .setName(name)
        .setAddress(address.toProto())
        .addFilterChains(FilterChain.newBuilder().addFilters(HttpManagers.filter(manager)))
        .build();
  }

  /** A listener for TLS, with a filter chain for each host. */
  public static Listener tls(String name, BindAddress address, List<FilterChain> hosts) {
    return Listener.newBuilder()
        .setName(name)
        .setAddress(address.toProto())
        .addListenerFilters(TLS_INSPECTOR)
        .addAllFilterChains(hosts)
        .build();
  }

  /**
   * An API listener for proxyless gRPC clients.
   *
   * @param name the target that clients ask for
   * @param routes the name of the route table
   */
  public static Listener api(String name, String routes, ConfigSource ads) {
    HttpConnectionManager manager = HttpManagers.grpc(name, routes, ads);
    return Listener.newBuilder()
        .setName(name)
        .setApiListener(ApiListener.newBuilder().setApiListener(Anys.of(manager)))
        .build();
  }
}
