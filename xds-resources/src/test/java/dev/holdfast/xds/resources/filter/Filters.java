// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.listener.Listener;
import dev.holdfast.xds.resources.listener.ListenerDecoder;
import dev.holdfast.xds.resources.route.RouteConfiguration;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.util.List;

/** Filters in a listener that is fine otherwise, and overrides in routes that are. */
final class Filters {
  static final String FAULT = "TYPE/envoy.extensions.filters.http.fault.v3.HTTPFault";
  static final String SESSION =
      "TYPE/envoy.extensions.filters.http.stateful_session.v3.StatefulSession";
  static final String SESSION_PER_ROUTE = SESSION + "PerRoute";

  /** Where the problems of the configuration stand. */
  private static final String AT = "api_listener.api_listener.http_filters[0].typed_config";

  private static final String AT_OVERRIDE = "virtual_hosts[0].typed_per_filter_config[\"f\"]";

  private Filters() {}

  private static Decoded<Listener> listener(String type, String config) {
    return ListenerDecoder.decode(
        Protos.listener(
            "name: 'l' api_listener { api_listener {"
                + " [TYPE/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager]"
                + " { rds { route_config_name: 'r' config_source { ads {} } }"
                + " http_filters { name: 'f' typed_config { ["
                + type
                + "] {"
                + config
                + "} } } http_filters { name: 'r' typed_config {"
                + " [TYPE/envoy.extensions.filters.http.router.v3.Router] {} } } } } }"),
        DecodeOptions.defaults());
  }

  private static Decoded<RouteConfiguration> routes(String type, String config) {
    return RouteConfigurationDecoder.decode(
        Protos.routeConfiguration(
            "name: 'r' virtual_hosts { domains: '*' typed_per_filter_config { key: 'f' value { ["
                + type
                + "] {"
                + config
                + "} } } }"),
        DecodeOptions.defaults());
  }

  /** What a filter is to do. */
  static FilterConfig config(String type, String config) {
    return ((Listener.Api) Outcomes.value(listener(type, config)))
        .manager()
        .httpFilters()
        .get(0)
        .config();
  }

  /** The problems of a filter, without the place where it stands. */
  static List<String> problems(String type, String config) {
    return without(AT, Outcomes.problems(listener(type, config)));
  }

  static FilterConfig override(String type, String config) {
    FilterOverride override =
        Outcomes.value(routes(type, config)).virtualHosts().get(0).filterOverrides().get("f");
    if (override == null || override.config() == null) {
      throw new AssertionError("no override");
    }
    return override.config();
  }

  static List<String> overrideProblems(String type, String config) {
    return without(AT_OVERRIDE, Outcomes.problems(routes(type, config)));
  }

  private static List<String> without(String place, List<String> problems) {
    return problems.stream()
        .map(text -> text.startsWith(place) ? text.substring(place.length()) : text)
        .map(text -> text.startsWith(".") ? text.substring(1) : text)
        .toList();
  }
}
