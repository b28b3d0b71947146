// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.filter.FilterOverride;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes one route (gRFC A28, A36, A39). */
final class RouteDecoder {
  private static final RouteAction NON_FORWARDING = new RouteAction.NonForwarding();

  private final Decoding decoding;
  private final RouteActionDecoder actions;

  RouteDecoder(Decoding decoding, RouteActionDecoder actions) {
    this.decoding = decoding;
    this.actions = actions;
  }

  /** The route; null after reporting a problem, and for a route that is to be ignored. */
  @Nullable Route decode(io.envoyproxy.envoy.config.route.v3.Route proto, Problems problems) {
    if (proto.getMatch().getQueryParametersCount() > 0) {
      // gRPC has no query parameters, so the route never matches, whatever else it says (A28).
      return null;
    }
    RouteMatch match = match(proto, problems);
    RouteAction action = action(proto, problems);
    Map<String, FilterOverride> overrides =
        new FilterOverrides(decoding).decode(proto.getTypedPerFilterConfigMap(), problems);
    return match == null || action == null
        ? null
        : new Route(proto.getName(), match, action, overrides);
  }

  private @Nullable RouteMatch match(
      io.envoyproxy.envoy.config.route.v3.Route proto, Problems problems) {
    Problems at = problems.at("match");
    if (!proto.hasMatch()) {
      at.required("not set (expected: what the route matches)");
      return null;
    }
    return RouteMatchDecoder.decode(proto.getMatch(), decoding, at);
  }

  private @Nullable RouteAction action(
      io.envoyproxy.envoy.config.route.v3.Route proto, Problems problems) {
    switch (proto.getActionCase()) {
      case ROUTE:
        return actions.decode(proto.getRoute(), problems.at("route"));
      case NON_FORWARDING_ACTION:
        return NON_FORWARDING;
      case ACTION_NOT_SET:
        problems.required("no action (expected: route or non_forwarding_action)");
        return null;
      default:
        problems.unsupported(proto.getActionCase() + " (expected: route or non_forwarding_action)");
        return null;
    }
  }
}
