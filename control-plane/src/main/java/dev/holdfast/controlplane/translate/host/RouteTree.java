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
 * Collects the routes of a root and of all proxies that it includes. Included routes come before
 * the proxy's own, and of two routes with equal conditions the later one wins.
 */
final class RouteTree {
  /** Repeated includes multiply the routes; no author can have meant more than this. */
  private static final int MAX_ROUTES = 10_000;

  private static final int MAX_DEPTH = 64;

  private final FactReader reader;
  private final HostPlan.Builder plan;
  private final Map<ObjectKey, ProxyClusters> clusters = new HashMap<>();
  private final Map<Conditions, PlannedRoute> routes = new LinkedHashMap<>();
  private int routeCount;

  private RouteTree(FactReader reader, HostPlan.Builder plan) {
    this.reader = reader;
    this.plan = plan;
  }

  /** The routes in the order of the traversal; problems are added to the plan. */
  static Collection<PlannedRoute> of(IndexedObject root, FactReader reader, HostPlan.Builder plan) {
    RouteTree tree = new RouteTree(reader, plan);
    tree.collect(root, IncludeConditions.EVERYTHING, new ArrayList<>());
    if (tree.routeCount > MAX_ROUTES) {
      plan.addProblem(
          root.object().key(),
          ObjectProblem.error(
              "spec.includes",
              "more than "
                  + MAX_ROUTES
                  + " routes in all, of which the rest is left out"
                  + " (expected: fewer; do includes repeat one another?)"));
    }
    return tree.routes.values();
  }

  private void collect(IndexedObject indexed, Conditions outer, List<ObjectKey> path) {
    if (!(indexed.typed() instanceof HttpProxy proxy)) {
      return;
    }
    plan.addMember(proxy.key());
    path.add(proxy.key());
    for (int i = 0; i < proxy.includes().size() && routeCount <= MAX_ROUTES; i++) {
      Conditions conditions = IncludeConditions.merge(outer, proxy.includes().get(i).conditions());
      ObjectKey target = References.target(proxy.includes().get(i));
      IndexedObject child = includable(target, path);
      if (child != null && path.size() >= MAX_DEPTH) {
        plan.addProblem(
            proxy.key(),
            ObjectProblem.error(
                "spec.includes[" + i + "]",
                "more than " + MAX_DEPTH + " proxies that include one another (expected: fewer)"));
        child = null;
      }
      if (child == null) {
        FieldOrigin origin = origin(indexed, "spec.includes[" + i + "]");
        add(new PlannedRoute(origin, conditions, null, i, List.of()));
      } else {
        collect(child, conditions, path);
      }
    }
    for (int i = 0; i < proxy.routes().size() && routeCount <= MAX_ROUTES; i++) {
      Route route = proxy.routes().get(i);
      add(
          new PlannedRoute(
              origin(indexed, "spec.routes[" + i + "]"),
              IncludeConditions.merge(outer, route.conditions()),
              route,
              i,
              upstreams(proxy, i)));
    }
    path.remove(path.size() - 1);
  }

  private @Nullable IndexedObject includable(ObjectKey target, List<ObjectKey> path) {
    return References.includeProblem(reader, target) == null && !path.contains(target)
        ? reader.indexed(target)
        : null;
  }

  private static FieldOrigin origin(IndexedObject indexed, String field) {
    return new FieldOrigin(indexed.object().key(), indexed.generation(), field);
  }

  private void add(PlannedRoute route) {
    routeCount++;
    // Remove first: the later route takes the later position.
    PlannedRoute earlier = routes.remove(route.conditions());
    if (earlier != null) {
      FieldOrigin shadowed = earlier.origin();
      plan.addProblem(
          shadowed.object(),
          ObjectProblem.warning(
              shadowed.field(),
              "never used: "
                  + route.origin().field()
                  + (shadowed.object().equals(route.origin().object())
                      ? ""
                      : " of " + route.origin().object())
                  + " has the same conditions"));
    }
    if (routeCount <= MAX_ROUTES) {
      routes.put(route.conditions(), route);
    }
  }

  private List<PlannedRoute.Upstream> upstreams(HttpProxy proxy, int index) {
    List<PlannedRoute.Upstream> upstreams = new ArrayList<>();
    if (proxy.routes().get(index).action() instanceof Route.Forward forward) {
      List<@Nullable PlannedCluster> planned =
          clusters
              .computeIfAbsent(proxy.key(), unused -> ProxyClusters.of(proxy, reader))
              .ofRoute(index);
      for (int i = 0; i < planned.size(); i++) {
        RouteService service = forward.services().get(i);
        PlannedCluster cluster = planned.get(i);
        if (cluster == null) {
          AbsentResources.service(reader, plan, proxy.key().namespace(), service);
        } else {
          upstreams.add(new PlannedRoute.Upstream(service, cluster));
        }
      }
    }
    return upstreams;
  }
}
