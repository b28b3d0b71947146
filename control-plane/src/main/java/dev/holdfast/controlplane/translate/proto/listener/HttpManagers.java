// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import com.google.protobuf.BoolValue;
import dev.holdfast.controlplane.objects.httpproxy.Tls.ClientValidation;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HTTP connection managers. */
public final class HttpManagers {
  private static final String NAME = "envoy.filters.network.http_connection_manager";

  private HttpManagers() {}

  /**
   * The same manager, which tells services of the certificate of the client.
   *
   * @param forward what they are told; null for nothing
   */
  public static HttpConnectionManager forwarding(
      HttpConnectionManager manager, ClientValidation.@Nullable Forward forward) {
    if (forward == null) {
      return manager;
    }
    HttpConnectionManager.Builder telling =
        manager.toBuilder().setForwardClientCertDetails(ForwardClientCertDetails.SANITIZE_SET);
    telling
        .getSetCurrentClientCertDetailsBuilder()
        .setSubject(BoolValue.of(forward.subject()))
        .setCert(forward.cert())
        .setChain(forward.chain())
        .setDns(forward.dns())
        .setUri(forward.uri());
    return telling.build();
  }

  /**
   * The same manager, which answers requests with 421 whose host is not the one that the client
   * named in TLS.
   */
  public static HttpConnectionManager forNamedHost(HttpConnectionManager manager) {
    return manager.toBuilder().addHttpFilters(0, HttpFilters.sameHost()).build();
  }

  /**
   * A connection manager for Envoy at the edge.
   *
   * @param statPrefix the prefix of its statistics
   * @param routes the name of the route table
   * @param extensions further filters, in order
   */
  public static HttpConnectionManager of(
      String statPrefix, String routes, List<HttpFilter> extensions, HttpOptions options) {
    HttpConnectionManager.Builder manager =
        HttpConnectionManager.newBuilder()
            .setStatPrefix(statPrefix)
            .setRds(rds(routes, options.ads()))
            .addAllHttpFilters(HttpFilters.chain(extensions, options.edge()))
            .setStreamIdleTimeout(Times.limit(options.streamIdleTimeout()))
            // This proxy is at the edge: X-Forwarded-For of the client is not trusted, except for
            // what the proxies in front have added.
            .setUseRemoteAddress(BoolValue.of(true))
            .setXffNumTrustedHops(options.edge().trustedHops())
            // Routes and filters match the same path that the service receives.
            .setNormalizePath(BoolValue.of(true))
            .setMergeSlashes(options.edge().mergeSlashes())
            // Virtual hosts have no ports, but clients may send one in Host; redirects to https go
            // to another port.
            .setStripAnyHostPort(true)
            .setServerHeaderTransformation(
                HttpConnectionManager.ServerHeaderTransformation.OVERWRITE)
            .addAllAccessLog(AccessLogs.of(options));
    manager.getHttpProtocolOptionsBuilder().setAcceptHttp10(true);
    return manager.build();
  }

  /** A connection manager for gRPC clients. */
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
