// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import com.google.protobuf.Message;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.route.FilterConfigs;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.filters.http.compressor.v3.Compressor;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.Cors;
import io.envoyproxy.envoy.extensions.filters.http.grpc_web.v3.GrpcWeb;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.lua.v3.Lua;
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
  private static final String COMPRESSOR = "envoy.filters.http.compressor";
  private static final HttpFilter GRPC_WEB =
      filter("envoy.filters.http.grpc_web", GrpcWeb.getDefaultInstance());
  private static final HttpFilter CORS = filter(FilterConfigs.CORS, Cors.getDefaultInstance());
  private static final HttpFilter LOCAL_RATE_LIMIT =
      filter(
          FilterConfigs.LOCAL_RATE_LIMIT,
          LocalRateLimit.newBuilder().setStatPrefix("http").build());
  private static final HttpFilter COOKIES = filter(FilterConfigs.COOKIES, Lua.getDefaultInstance());
  private static final HttpFilter RBAC_FILTER =
      filter(FilterConfigs.RBAC, RBAC.getDefaultInstance());
  private static final HttpFilter SAME_HOST =
      filter(
          "holdfast.same_host",
          Lua.newBuilder()
              .setDefaultSourceCode(
                  DataSource.newBuilder()
                      .setInlineString(
                          """
                          function envoy_on_request(request)
                            local named = request:streamInfo():requestedServerName()
                            local host = request:headers():get(":authority") or ""
                            host = host:lower():gsub(":%d+$", "")
                            if host ~= named:lower() then
                              request:respond({[":status"] = "421"}, "")
                            end
                          end
                          """))
              .build());
  private static final HttpFilter ROUTER =
      filter("envoy.filters.http.router", Router.getDefaultInstance());

  /** The type of the stand-ins for a filter that Envoy lacks; it must be allowed as well. */
  private static final String STAND_IN = Anys.of(RBAC.getDefaultInstance()).getTypeUrl();

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
    filter.getConfigDiscoveryBuilder().setConfigSource(ads).addTypeUrls(typeUrl);
    if (!typeUrl.equals(STAND_IN)) {
      filter.getConfigDiscoveryBuilder().addTypeUrls(STAND_IN);
    }
    return filter.build();
  }

  /** All filters of a listener, in order. */
  static List<HttpFilter> chain(List<HttpFilter> extensions, EdgeOptions edge) {
    List<HttpFilter> chain = new ArrayList<>();
    Compressor compressor = Compressors.of(edge.compression());
    if (compressor != null) {
      chain.add(filter(COMPRESSOR, compressor));
    }
    chain.addAll(List.of(GRPC_WEB, CORS, LOCAL_RATE_LIMIT, COOKIES, RBAC_FILTER));
    chain.addAll(extensions);
    chain.add(ROUTER);
    return chain;
  }

  /**
   * Answers a request with 421 if its host is not the one that the client named in TLS. The chain
   * of a wildcard needs it: the host may have a chain of its own, with routes and policies of its
   * own.
   */
  static HttpFilter sameHost() {
    return SAME_HOST;
  }

  /** The router, the only filter that gRPC clients need. */
  static HttpFilter router() {
    return ROUTER;
  }

  private static HttpFilter filter(String name, Message config) {
    return HttpFilter.newBuilder().setName(name).setTypedConfig(Anys.of(config)).build();
  }
}
