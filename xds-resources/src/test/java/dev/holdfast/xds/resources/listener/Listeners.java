// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;

/** Listeners for tests that care for a part of one. */
final class Listeners {
  static final String ROUTER = "typed_config { [TYPE/" + HttpFilter.ROUTER + "] {} }";
  static final String RDS = "rds { route_config_name: 'r' config_source { ads {} } } ";

  /** Where the problems of an API listener's manager stand. */
  static final String MANAGER = "api_listener.api_listener";

  private Listeners() {}

  static Decoded<Listener> decode(String text) {
    return ListenerDecoder.decode(Protos.listener(text), DecodeOptions.defaults());
  }

  static String manager(String content) {
    return "[TYPE/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager]"
        + " {"
        + content
        + "}";
  }

  /** An API listener whose manager has the given content. */
  static Decoded<Listener> api(String content) {
    return decode("name: 'l' api_listener { api_listener {" + manager(content) + "} }");
  }

  /** An API listener that is fine but for what is added to its manager. */
  static Decoded<Listener> apiWith(String rest) {
    return api(RDS + "http_filters { name: 'router' " + ROUTER + "} " + rest);
  }

  static HttpConnectionManager manager(Decoded<Listener> decoded) {
    return ((Listener.Api) Outcomes.value(decoded)).manager();
  }

  /** A socket listener with the given filter chains and other fields. */
  static String socket(String rest) {
    return "name: 'l' address { socket_address { address: '0.0.0.0' port_value: 80 } } " + rest;
  }

  /** The filters of a chain that is fine. */
  static String filters() {
    return "filters { name: 'hcm' typed_config {"
        + manager(RDS + "http_filters { name: 'router' " + ROUTER + "}")
        + "} } ";
  }

  static String chain(String match) {
    return "filter_chains { filter_chain_match {" + match + "} " + filters() + "} ";
  }
}
