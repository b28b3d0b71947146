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
 * the proxy's own.
 *
 * <p>Of two routes with equal conditions only one can be used. A proxy's own routes win over those
 * that it includes, because the author of an include decides what is included; otherwise the first
 * one wins. The other one is an error of its object.
 */
final class RouteTree {
  private static final int MAX_DEPTH = 64;

  private final FactReader reader;
  private final int mostRoutes;
  private final HostPlan.Builder plan;
  private final Map<ObjectKey, ProxyClusters> clusters = new HashMap<>();
  private final Map<Conditions, Numbered> routes = new LinkedHashMap<>();
  private int routeCount;

  private RouteTree(FactReader reader, int mostRoutes, HostPlan.Builder plan) {
    this.reader = reader;
    this.mostRoutes = mostRoutes;
    this.plan = plan;
  }

  /**
   * The routes in the order of the traversal; problems are added to the plan.
   *
   * @param mostRoutes repeated includes multiply the routes
   */
  static Collection<PlannedRoute> of(
      IndexedObject root, FactReader reader, int mostRoutes, HostPlan.Builder plan) {
    RouteTree tree = new RouteTree(reader, mostRoutes, plan);
    tree.collect(root, IncludeConditions.EVERYTHING, new ArrayList<>());
    if (tree.routeCount > mostRoutes) {
      plan.addProblem(
          root.object().key(),
          ObjectProblem.error(
              "spec.includes",
              "more than "
                  + mostRoutes
                  + " routes in total, the rest is ignored"
                  + " (expected: fewer, limit routesPerHost; do includes repeat one another?)"));
    }
    return tree.routes.values().stream().map(Numbered::route).toList();
  }

  private void collect(IndexedObject indexed, Conditions outer, List<ObjectKey> path) {
    if (!(indexed.typed() instanceof HttpProxy proxy)) {
      return;
    }
    plan.addMember(proxy.key());
    path.add(proxy.key());
    int before = routeCount;
    for (int i = 0; i < proxy.includes().size() && routeCount <= mostRoutes; i++) {
      Conditions conditions = IncludeConditions.merge(outer, proxy.includes().get(i).conditions());
      ObjectKey target = References.target(proxy.includes().get(i));
      IndexedObject child = includable(target, path);
      if (child != null && path.size() >= MAX_DEPTH) {
        plan.addProblem(
            proxy.key(),
            ObjectProblem.error(
                "spec.includes[" + i + "]",
                "more than " + MAX_DEPTH + " levels of includes (expected: fewer)"));
        child = null;
      }
      if (child == null) {
        FieldOrigin origin = origin(indexed, "spec.includes[" + i + "]");
        add(new PlannedRoute(origin, conditions, null, i, List.of()), Included.NONE);
      } else {
        collect(child, conditions, path);
      }
    }
    Included included = new Included(before, routeCount);
    for (int i = 0; i < proxy.routes().size() && routeCount <= mostRoutes; i++) {
      Route route = proxy.routes().get(i);
      add(
          new PlannedRoute(
              origin(indexed, "spec.routes[" + i + "]"),
              IncludeConditions.merge(outer, route.conditions()),
              route,
              i,
              upstreams(proxy, i)),
          included);
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

  /**
   * The routes that a proxy includes.
   *
   * @param from the number of the first one, in the order of the traversal
   * @param to one more than the number of the last one
   */
  private record Included(int from, int to) {
    static final Included NONE = new Included(0, 0);

    boolean contains(int number) {
      return number >= from && number < to;
    }
  }

  /** A route with its number in the order of the traversal. */
  private record Numbered(PlannedRoute route, int number) {}

  /**
   * @param included the routes that this one wins over
   */
  private void add(PlannedRoute route, Included included) {
    Numbered added = new Numbered(route, routeCount++);
    if (routeCount > mostRoutes) {
      return;
    }
    Numbered earlier = routes.get(route.conditions());
    if (earlier == null) {
      routes.put(route.conditions(), added);
      return;
    }
    // An include that cannot be resolved has a problem of its own, and gives way to any route.
    boolean laterWins =
        earlier.route().route() == null
            || (route.route() != null && included.contains(earlier.number()));
    if (laterWins) {
      routes.remove(route.conditions()); // the later route takes the later position
      routes.put(route.conditions(), added);
    }
    if (earlier.route().route() != null && route.route() != null) {
      reportUnused(laterWins ? earlier.route() : route, laterWins ? route : earlier.route());
    }
  }

  private void reportUnused(PlannedRoute unused, PlannedRoute used) {
    FieldOrigin at = unused.origin();
    boolean same = at.object().equals(used.origin().object());
    if (same && at.field().equals(used.origin().field())) {
      return; // a proxy that is included twice under the same conditions
    }
    plan.addProblem(
        at.object(),
        ObjectProblem.error(
            at.field(),
            "never used: "
                + used.origin().field()
                + (same ? "" : " of " + used.origin().object())
                + " has the same conditions (expected: others)"));
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
