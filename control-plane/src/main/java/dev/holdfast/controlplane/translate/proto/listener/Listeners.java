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

/** Ports that are listened on, and what stands for them where there are none. */
public final class Listeners {
  private static final ListenerFilter TLS_INSPECTOR =
      ListenerFilter.newBuilder()
          .setName("envoy.filters.listener.tls_inspector")
          .setTypedConfig(Anys.of(TlsInspector.getDefaultInstance()))
          .build();

  private Listeners() {}

  /** Plain HTTP. */
  public static Listener http(String name, BindAddress address, HttpConnectionManager manager) {
    return Listener.newBuilder()
        .setName(name)
        .setAddress(address.toProto())
        .addFilterChains(FilterChain.newBuilder().addFilters(HttpManagers.filter(manager)))
        .build();
  }

  /** TLS, with what becomes of each host's connections. */
  public static Listener tls(String name, BindAddress address, List<FilterChain> hosts) {
    return Listener.newBuilder()
        .setName(name)
        .setAddress(address.toProto())
        .addListenerFilters(TLS_INSPECTOR)
        .addAllFilterChains(hosts)
        .build();
  }

  /**
   * The entry point of gRPC clients that route themselves.
   *
   * @param name the target that they ask for
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
