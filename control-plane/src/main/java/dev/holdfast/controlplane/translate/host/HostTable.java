// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Versions;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.assemble.Origin;
import dev.holdfast.controlplane.translate.assemble.Repeated;
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

/** A virtual host being put together, route by route. */
final class HostTable {
  private final Origin origin;
  private final ByteString skeleton;
  private final List<ByteString> routes = new ArrayList<>();
  private final List<Origin> origins = new ArrayList<>();
  private final List<String> versions = new ArrayList<>();
  private final SortedMap<ObjectKey, List<String>> parts = new TreeMap<>();
  private final SortedSet<String> clusters = new TreeSet<>();

  /**
   * @param origin where the host itself comes from
   * @param host the virtual host without its routes
   */
  HostTable(Origin origin, VirtualHost host) {
    this.origin = origin;
    this.skeleton = Versions.serialise(host);
    String version = Versions.of(skeleton);
    versions.add(version);
    part(origin.object(), version);
  }

  boolean hasRoutes() {
    return !routes.isEmpty();
  }

  private void part(ObjectKey object, String version) {
    parts.computeIfAbsent(object, unused -> new ArrayList<>()).add(version);
  }

  /** An object has a hand in the host without a route of its own. */
  void addPart(ObjectKey object, String version) {
    part(object, version);
  }

  void add(Origin routeOrigin, Route route, Collection<String> needs) {
    ByteString bytes = Versions.serialise(route);
    String version = Versions.of(bytes);
    routes.add(bytes);
    origins.add(routeOrigin);
    versions.add(version);
    part(routeOrigin.object(), version);
    clusters.addAll(needs);
  }

  Fragment fragment() {
    SortedMap<ObjectKey, String> digests = new TreeMap<>();
    parts.forEach((object, digestsOfRoutes) -> digests.put(object, Versions.of(digestsOfRoutes)));
    return new Fragment(
        Repeated.append(skeleton, VirtualHost.ROUTES_FIELD_NUMBER, routes),
        Versions.of(versions),
        digests,
        clusters,
        origin,
        origins);
  }

  /**
   * A route table of this host, and perhaps of others that nobody wrote.
   *
   * @param table the table without this host
   */
  Resource resource(ResourceId id, RouteConfiguration table, Resource.Audience audience) {
    Fragment host = fragment();
    ByteString others = Versions.serialise(table);
    int index = table.getVirtualHostsCount();
    PersistentMap<String, String> needs = PersistentMap.empty();
    for (String cluster : host.clusters()) {
      needs = needs.with(cluster, "");
    }
    return new Resource(
        id,
        Versions.of(List.of(Versions.of(others), host.version())),
        Repeated.append(
            others, RouteConfiguration.VIRTUAL_HOSTS_FIELD_NUMBER, List.of(host.bytes())),
        audience,
        PersistentMap.copyOf(host.parts()),
        needs,
        () -> host.places("virtual_hosts[" + index + "]"));
  }
}
