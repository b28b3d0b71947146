// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.util.List;

/** Route configurations with one virtual host, for tests that care for a part of a route. */
final class Routes {
  /** Where the problems of the first route stand. */
  static final String ROUTE = "virtual_hosts[0].routes[0].";

  private Routes() {}

  static Decoded<RouteConfiguration> decode(String text, DecodeOptions options) {
    return RouteConfigurationDecoder.decode(Protos.routeConfiguration(text), options);
  }

  static Decoded<RouteConfiguration> decode(String text) {
    return decode(text, DecodeOptions.defaults());
  }

  /** A configuration with these routes, each the content of a Route message. */
  static Decoded<RouteConfiguration> withRoutes(String... routes) {
    return decode(text(routes));
  }

  static String text(String... routes) {
    StringBuilder text = new StringBuilder("name: 'r' virtual_hosts { name: 'h' domains: '*' ");
    for (String route : routes) {
      text.append("routes {").append(route).append("} ");
    }
    return text.append("}").toString();
  }

  static Decoded<RouteConfiguration> withMatch(String match) {
    return withRoutes("match {" + match + "} route { cluster: 'c' }");
  }

  static Decoded<RouteConfiguration> withAction(String action) {
    return withRoutes("match { prefix: '' } route {" + action + "}");
  }

  static List<Route> routes(Decoded<RouteConfiguration> decoded) {
    return Outcomes.value(decoded).virtualHosts().get(0).routes();
  }

  static RouteMatch match(String match) {
    return routes(withMatch(match)).get(0).match();
  }

  static RouteAction.Forward forward(Decoded<RouteConfiguration> decoded) {
    return (RouteAction.Forward) routes(decoded).get(0).action();
  }
}
