// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.objects.httpproxy.IpFilter;
import dev.holdfast.controlplane.objects.httpproxy.LocalRateLimit;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Per-route configuration of HTTP filters, by the filter's name in the listener. The configuration
 * of a route replaces that of its virtual host.
 */
public final class FilterConfigs {
  public static final String CORS = "envoy.filters.http.cors";
  public static final String LOCAL_RATE_LIMIT = "envoy.filters.http.local_ratelimit";
  public static final String RBAC = "envoy.filters.http.rbac";

  /** A Lua filter; policies have Lua filters of their own, with other names. */
  public static final String COOKIES = "holdfast.cookies";

  /** Enables a filter that is disabled by default. */
  public static final Any ENABLED =
      // The empty message must be set: Envoy rejects a FilterConfig without one.
      Anys.of(FilterConfig.newBuilder().setConfig(Any.getDefaultInstance()).build());

  private FilterConfigs() {}

  /** The configuration of a virtual host. */
  public static SortedMap<String, Any> of(VirtualHost host) {
    SortedMap<String, Any> configs =
        common(host.fqdn(), host.rateLimits().local(), host.ipFilter());
    if (host.cors() != null) {
      configs.put(CORS, Anys.of(CorsPolicies.of(host.cors())));
    }
    return Collections.unmodifiableSortedMap(configs);
  }

  /**
   * The configuration of a route.
   *
   * @param fqdn of its virtual host
   */
  public static SortedMap<String, Any> of(Route route, String fqdn) {
    SortedMap<String, Any> configs = common(fqdn, route.rateLimits().local(), route.ipFilter());
    if (!route.cookieRewrites().isEmpty()) {
      configs.put(COOKIES, CookieRewrites.of(route.cookieRewrites()));
    }
    return Collections.unmodifiableSortedMap(configs);
  }

  private static SortedMap<String, Any> common(
      String fqdn, @Nullable LocalRateLimit limit, @Nullable IpFilter ipFilter) {
    SortedMap<String, Any> configs = new TreeMap<>();
    if (limit != null) {
      configs.put(LOCAL_RATE_LIMIT, Anys.of(RateLimits.of(limit, fqdn)));
    }
    if (ipFilter != null) {
      configs.put(RBAC, Anys.of(IpFilters.of(ipFilter)));
    }
    return configs;
  }
}
