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
 * What HTTP filters are told of a virtual host or a route, by the names under which they stand in
 * the listener. What is said of a route takes the place of what is said of its virtual host.
 */
public final class FilterConfigs {
  public static final String CORS = "envoy.filters.http.cors";
  public static final String LOCAL_RATE_LIMIT = "envoy.filters.http.local_ratelimit";
  public static final String RBAC = "envoy.filters.http.rbac";

  /** Turns a filter on that is off unless told otherwise. */
  public static final Any ENABLED =
      // The empty message must be there: Envoy takes its absence for a mistake.
      Anys.of(FilterConfig.newBuilder().setConfig(Any.getDefaultInstance()).build());

  /** Turns a filter off. */
  public static final Any DISABLED = Anys.of(FilterConfig.newBuilder().setDisabled(true).build());

  private FilterConfigs() {}

  /** Those of a virtual host. */
  public static SortedMap<String, Any> of(VirtualHost host) {
    SortedMap<String, Any> configs = common(host.fqdn(), host.rateLimit(), host.ipFilter());
    if (host.cors() != null) {
      configs.put(CORS, Anys.of(CorsPolicies.of(host.cors())));
    }
    return Collections.unmodifiableSortedMap(configs);
  }

  /**
   * Those of a route.
   *
   * @param fqdn its virtual host's
   */
  public static SortedMap<String, Any> of(Route route, String fqdn) {
    return Collections.unmodifiableSortedMap(common(fqdn, route.rateLimit(), route.ipFilter()));
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
