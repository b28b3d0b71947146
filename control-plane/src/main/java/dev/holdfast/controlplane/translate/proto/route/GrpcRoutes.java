// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.HeaderCondition;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Routes for proxyless gRPC clients. They support less than Envoy, and reject all routes because of
 * one filter that they do not know, so they get only what they support.
 */
public final class GrpcRoutes {
  private GrpcRoutes() {}

  /**
   * A route of an HTTPProxy; several routes if a condition must be split, none if no call can
   * match.
   */
  public static List<Route> of(RouteSpec spec, Conditions conditions) {
    return routes(conditions, action(spec));
  }

  /** A route to a cluster that does not exist, which fails calls. */
  public static List<Route> unavailable(Conditions conditions, String cluster) {
    return routes(conditions, RouteAction.newBuilder().setCluster(cluster).build());
  }

  private static List<Route> routes(Conditions conditions, RouteAction action) {
    if (!conditions.queries().isEmpty()) {
      return List.of(); // calls have no query string, and each of these conditions needs one
    }
    return expressible(conditions).stream()
        .map(one -> Route.newBuilder().setMatch(match(one)).setRoute(action).build())
        .toList();
  }

  private static RouteMatch match(Conditions conditions) {
    return RouteMatches.conditions(conditions).build();
  }

  /**
   * Splits conditions that gRPC clients cannot express. They have no option to treat a missing
   * header as empty, so a negated condition becomes two: the header is missing, or it is present
   * and does not match.
   */
  private static List<Conditions> expressible(Conditions conditions) {
    List<List<HeaderCondition>> all = List.of(List.of());
    for (HeaderCondition header : conditions.headers()) {
      List<List<HeaderCondition>> longer = new ArrayList<>();
      for (HeaderCondition one : alternatives(header)) {
        for (List<HeaderCondition> shorter : all) {
          List<HeaderCondition> both = new ArrayList<>(shorter);
          both.add(one);
          longer.add(both);
        }
      }
      all = longer;
    }
    return all.stream()
        .map(headers -> new Conditions(conditions.path(), headers, List.of()))
        .toList();
  }

  private static List<HeaderCondition> alternatives(HeaderCondition header) {
    if (!header.missingIsEmpty()) {
      return List.of(header);
    }
    HeaderCondition given =
        new HeaderCondition(
            header.name(),
            header.match(),
            header.negated(),
            header.value(),
            header.ignoreCase(),
            /* missingIsEmpty= */ false);
    if (header.value().isEmpty()) {
      return List.of(
          given); // the condition excludes the empty value, so a missing header does not match
    }
    HeaderCondition missing =
        new HeaderCondition(
            header.name(),
            HeaderCondition.Match.PRESENT,
            /* negated= */ true,
            "",
            /* ignoreCase= */ false,
            /* missingIsEmpty= */ false);
    return List.of(given, missing);
  }

  private static RouteAction action(RouteSpec spec) {
    RouteAction.Builder action = RouteAction.newBuilder();
    List<Target> targets = spec.answering();
    if (targets.size() == 1) {
      action.setCluster(targets.get(0).cluster());
    } else {
      action.setWeightedClusters(WeightedClusters.plain(targets));
    }
    Timeout response = spec.route().timeouts().response();
    if (response.kind() == Timeout.Kind.AFTER) {
      action.getMaxStreamDurationBuilder().setMaxStreamDuration(Times.limit(response.duration()));
    }
    // In gRPC, a route without retries must have no retry policy (gRFC A44).
    if (spec.route().retries() != null && spec.route().retries().count() > 0) {
      action.setRetryPolicy(RetryPolicies.of(spec.route().retries()));
    }
    return action.build();
  }
}
