// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a root and of all that it includes. What is included comes before what the proxy
 * says itself, and of two routes with the same conditions the later one counts.
 */
final class RouteTree {
  /** Includes that repeat one another multiply; this is more than a person can have meant. */
  private static final int MOST_ROUTES = 10_000;

  private static final int DEEPEST = 64;

  private final FactReader reader;
  private final HostPlan.Builder plan;
  private final Map<ObjectKey, ProxyClusters> clusters = new HashMap<>();
  private final Map<Conditions, PlannedRoute> routes = new LinkedHashMap<>();
  private int met;

  private RouteTree(FactReader reader, HostPlan.Builder plan) {
    this.reader = reader;
    this.plan = plan;
  }

  /** The routes in the order in which they were met; remarks go to the plan. */
  static Collection<PlannedRoute> of(IndexedObject root, FactReader reader, HostPlan.Builder plan) {
    RouteTree tree = new RouteTree(reader, plan);
    tree.visit(root, IncludeConditions.EVERYTHING, new ArrayList<>());
    if (tree.met > MOST_ROUTES) {
      plan.remark(
          root.object().key(),
          ObjectProblem.error(
              "spec.includes",
              "more than "
                  + MOST_ROUTES
                  + " routes in all, of which the rest is left out"
                  + " (expected: fewer; do includes repeat one another?)"));
    }
    return tree.routes.values();
  }

  private void visit(IndexedObject input, Conditions around, List<ObjectKey> path) {
    if (!(input.typed() instanceof HttpProxy proxy)) {
      return;
    }
    plan.visit(proxy.key());
    path.add(proxy.key());
    for (int i = 0; i < proxy.includes().size() && met <= MOST_ROUTES; i++) {
      Conditions conditions = IncludeConditions.merge(around, proxy.includes().get(i).conditions());
      ObjectKey target = References.target(proxy.includes().get(i));
      IndexedObject child = includable(target, path);
      if (child != null && path.size() >= DEEPEST) {
        plan.remark(
            proxy.key(),
            ObjectProblem.error(
                "spec.includes[" + i + "]",
                "more than " + DEEPEST + " proxies that include one another (expected: fewer)"));
        child = null;
      }
      if (child == null) {
        FieldOrigin origin = origin(input, "spec.includes[" + i + "]");
        add(new PlannedRoute(origin, conditions, null, i, List.of()));
      } else {
        visit(child, conditions, path);
      }
    }
    for (int i = 0; i < proxy.routes().size() && met <= MOST_ROUTES; i++) {
      Route route = proxy.routes().get(i);
      add(
          new PlannedRoute(
              origin(input, "spec.routes[" + i + "]"),
              IncludeConditions.merge(around, route.conditions()),
              route,
              i,
              upstreams(proxy, i)));
    }
    path.remove(path.size() - 1);
  }

  private @Nullable IndexedObject includable(ObjectKey target, List<ObjectKey> path) {
    return References.includeProblem(reader, target) == null && !path.contains(target)
        ? reader.input(target)
        : null;
  }

  private static FieldOrigin origin(IndexedObject input, String field) {
    return new FieldOrigin(input.object().key(), input.generation(), field);
  }

  private void add(PlannedRoute route) {
    met++;
    // Out first: it stands where it was met last.
    PlannedRoute earlier = routes.remove(route.conditions());
    if (earlier != null) {
      FieldOrigin loser = earlier.origin();
      plan.remark(
          loser.object(),
          ObjectProblem.warning(
              loser.field(),
              "never used: "
                  + route.origin().field()
                  + (loser.object().equals(route.origin().object())
                      ? ""
                      : " of " + route.origin().object())
                  + " has the same conditions"));
    }
    if (met <= MOST_ROUTES) {
      routes.put(route.conditions(), route);
    }
  }

  private List<PlannedRoute.Upstream> upstreams(HttpProxy proxy, int index) {
    List<PlannedRoute.Upstream> upstreams = new ArrayList<>();
    if (proxy.routes().get(index).action() instanceof Route.Forward forward) {
      List<@Nullable PlannedCluster> specs =
          clusters
              .computeIfAbsent(proxy.key(), unused -> ProxyClusters.of(proxy, reader))
              .ofRoute(index);
      for (int i = 0; i < specs.size(); i++) {
        RouteService service = forward.services().get(i);
        PlannedCluster spec = specs.get(i);
        if (spec == null) {
          AbsentResources.service(reader, plan, proxy.key().namespace(), service);
        } else {
          upstreams.add(new PlannedRoute.Upstream(service, spec));
        }
      }
    }
    return upstreams;
  }
}
