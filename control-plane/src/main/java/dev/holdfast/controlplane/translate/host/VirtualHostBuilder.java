// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.assemble.RepeatedField;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Builds a virtual host route by route. */
final class VirtualHostBuilder {
  private final FieldOrigin origin;
  private final ByteString skeleton;
  private final List<ByteString> routes = new ArrayList<>();
  private final List<FieldOrigin> origins = new ArrayList<>();
  private final List<Fragment.Addition> additions = new ArrayList<>();
  private final List<String> versions = new ArrayList<>();
  private final SortedMap<ObjectKey, List<String>> parts = new TreeMap<>();
  private final SortedSet<String> clusters = new TreeSet<>();
  private final SortedSet<String> filters = new TreeSet<>();

  /**
   * @param origin where the host itself comes from
   * @param host the virtual host without its routes
   */
  VirtualHostBuilder(FieldOrigin origin, VirtualHost host) {
    this(origin, host, FilterOverrides.NONE);
  }

  /**
   * @param overrides the filter configuration that policies add to the host
   */
  VirtualHostBuilder(FieldOrigin origin, VirtualHost host, FilterOverrides overrides) {
    this.origin = origin;
    this.skeleton = Digests.serialise(overrides.applyTo(host));
    versions.add(Digests.of(skeleton));
    addPart(origin.object(), overrides.isEmpty() ? Digests.of(skeleton) : version(host));
    add(overrides, Fragment.WHOLE);
  }

  private static String version(Message message) {
    return Digests.of(Digests.serialise(message));
  }

  /**
   * The part of a policy is its own configuration; the part of the other objects is the message as
   * it would be without policies.
   */
  private void add(FilterOverrides overrides, int route) {
    filters.addAll(overrides.required());
    overrides
        .parts()
        .forEach(
            (filter, part) -> {
              addPart(part.origin().object(), part.version(filter));
              additions.add(new Fragment.Addition(route, part.origin()));
            });
  }

  boolean hasRoutes() {
    return !routes.isEmpty();
  }

  private void addPart(ObjectKey object, String version) {
    parts.computeIfAbsent(object, unused -> new ArrayList<>()).add(version);
  }

  void add(FieldOrigin routeOrigin, Route route, Collection<String> clusterNames) {
    add(routeOrigin, route, FilterOverrides.NONE, clusterNames);
  }

  /**
   * @param overrides the filter configuration that policies add to the route
   */
  void add(
      FieldOrigin routeOrigin,
      Route route,
      FilterOverrides overrides,
      Collection<String> clusterNames) {
    ByteString bytes = Digests.serialise(overrides.applyTo(route));
    String version = Digests.of(bytes);
    addPart(routeOrigin.object(), overrides.isEmpty() ? version : version(route));
    add(overrides, routes.size());
    routes.add(bytes);
    origins.add(routeOrigin);
    versions.add(version);
    clusters.addAll(clusterNames);
  }

  Fragment fragment() {
    SortedMap<ObjectKey, String> digests = new TreeMap<>();
    parts.forEach((object, digestsOfRoutes) -> digests.put(object, Digests.of(digestsOfRoutes)));
    return new Fragment(
        RepeatedField.append(skeleton, VirtualHost.ROUTES_FIELD_NUMBER, routes),
        Digests.of(versions),
        digests,
        clusters,
        filters,
        origin,
        origins,
        additions);
  }

  /**
   * A route table with this host as the last virtual host.
   *
   * @param table the table without this host
   */
  Resource resource(ResourceId id, RouteConfiguration table, Resource.Audience audience) {
    Fragment host = fragment();
    ByteString others = Digests.serialise(table);
    int index = table.getVirtualHostsCount();
    PersistentMap<String, String> clusterSet = PersistentMap.empty();
    for (String cluster : host.clusters()) {
      clusterSet = clusterSet.with(cluster, "");
    }
    PersistentMap<String, String> filterSet = PersistentMap.empty();
    for (String filter : host.filters()) {
      filterSet = filterSet.with(filter, "");
    }
    return new Resource(
        id,
        Digests.of(List.of(Digests.of(others), host.version())),
        RepeatedField.append(
            others, RouteConfiguration.VIRTUAL_HOSTS_FIELD_NUMBER, List.of(host.bytes())),
        audience,
        PersistentMap.copyOf(host.parts()),
        clusterSet,
        filterSet,
        () -> host.places("virtual_hosts[" + index + "]"));
  }
}
