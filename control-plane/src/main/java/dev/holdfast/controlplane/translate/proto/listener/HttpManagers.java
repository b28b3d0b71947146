// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import com.google.protobuf.BoolValue;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import java.util.List;

/** What makes requests out of connections. */
public final class HttpManagers {
  private static final String NAME = "envoy.filters.network.http_connection_manager";

  private HttpManagers() {}

  /**
   * One for Envoy at the edge.
   *
   * @param statPrefix under which its numbers are found
   * @param routes the name of the route table
   * @param extensions further filters, in order
   */
  public static HttpConnectionManager of(
      String statPrefix, String routes, List<HttpFilter> extensions, HttpOptions options) {
    HttpConnectionManager.Builder manager =
        HttpConnectionManager.newBuilder()
            .setStatPrefix(statPrefix)
            .setRds(rds(routes, options.ads()))
            .addAllHttpFilters(HttpFilters.chain(extensions))
            .setStreamIdleTimeout(Times.limit(options.streamIdleTimeout()))
            // Nobody before this proxy is to be believed who the client is.
            .setUseRemoteAddress(BoolValue.of(true))
            // What routes and filters see is what the service gets.
            .setNormalizePath(BoolValue.of(true))
            .setMergeSlashes(true)
            // Hosts are names, also where clients write a port; and https is on another.
            .setStripAnyHostPort(true)
            .setServerHeaderTransformation(
                HttpConnectionManager.ServerHeaderTransformation.OVERWRITE)
            .addAllAccessLog(AccessLogs.of(options));
    manager.getHttpProtocolOptionsBuilder().setAcceptHttp10(true);
    return manager.build();
  }

  /** One for gRPC clients. */
  static HttpConnectionManager grpc(String statPrefix, String routes, ConfigSource ads) {
    return HttpConnectionManager.newBuilder()
        .setStatPrefix(statPrefix)
        .setRds(rds(routes, ads))
        .addHttpFilters(HttpFilters.router())
        .build();
  }

  static Filter filter(HttpConnectionManager manager) {
    return Filter.newBuilder().setName(NAME).setTypedConfig(Anys.of(manager)).build();
  }

  private static Rds rds(String routes, ConfigSource ads) {
    return Rds.newBuilder().setRouteConfigName(routes).setConfigSource(ads).build();
  }
}
