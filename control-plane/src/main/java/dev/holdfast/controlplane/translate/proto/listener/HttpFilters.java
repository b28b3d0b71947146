// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.route.FilterConfigs;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.Cors;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * HTTP filters of listeners. Holdfast's own filters do nothing by default: virtual hosts and routes
 * configure them.
 */
public final class HttpFilters {
  private static final HttpFilter CORS = filter(FilterConfigs.CORS, Cors.getDefaultInstance());
  private static final HttpFilter LOCAL_RATE_LIMIT =
      filter(
          FilterConfigs.LOCAL_RATE_LIMIT,
          LocalRateLimit.newBuilder().setStatPrefix("http").build());
  private static final HttpFilter RBAC_FILTER =
      filter(FilterConfigs.RBAC, RBAC.getDefaultInstance());
  private static final HttpFilter ROUTER =
      filter("envoy.filters.http.router", Router.getDefaultInstance());

  /**
   * The stand-in for a filter that Envoy rejects; its type must be allowed as well. CORS without a
   * policy does nothing.
   */
  private static final Any NOTHING = Anys.of(Cors.getDefaultInstance());

  private HttpFilters() {}

  /**
   * A filter whose configuration is discovered by ECDS; disabled except where a virtual host or
   * route enables it.
   *
   * @param name of the configuration, and of the filter in virtual hosts and routes
   * @param typeUrl the type that the configuration must have
   */
  public static HttpFilter discovered(String name, String typeUrl, ConfigSource ads) {
    HttpFilter.Builder filter = HttpFilter.newBuilder().setName(name).setDisabled(true);
    filter
        .getConfigDiscoveryBuilder()
        .setConfigSource(ads)
        .addTypeUrls(typeUrl)
        .addTypeUrls(NOTHING.getTypeUrl());
    return filter.build();
  }

  /** All filters of a listener, in order. */
  static List<HttpFilter> chain(List<HttpFilter> extensions) {
    List<HttpFilter> chain = new ArrayList<>(List.of(CORS, LOCAL_RATE_LIMIT, RBAC_FILTER));
    chain.addAll(extensions);
    chain.add(ROUTER);
    return chain;
  }

  /** The router, the only filter that gRPC clients need. */
  static HttpFilter router() {
    return ROUTER;
  }

  private static HttpFilter filter(String name, Message config) {
    return HttpFilter.newBuilder().setName(name).setTypedConfig(Anys.of(config)).build();
  }
}
