// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.scouts;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which virtual hosts a change may have an effect on. Pure. */
final class ChangedHosts {
  private ChangedHosts() {}

  /**
   * The places of the hosts in the new list that differ from those of the same name before, or that
   * use a filter which differs.
   *
   * @param filters the names of filters that differ
   */
  static Set<Integer> of(RouteConfiguration before, RouteConfiguration now, Set<String> filters) {
    Map<String, ByteString> old = new HashMap<>();
    for (VirtualHost host : before.getVirtualHostsList()) {
      old.put(host.getName(), host.toByteString());
    }
    Set<Integer> changed = new HashSet<>();
    for (int i = 0; i < now.getVirtualHostsCount(); i++) {
      VirtualHost host = now.getVirtualHosts(i);
      if (!host.toByteString().equals(old.get(host.getName())) || uses(host, filters)) {
        changed.add(i);
      }
    }
    return changed;
  }

  private static boolean uses(VirtualHost host, Set<String> filters) {
    if (filters.isEmpty()) {
      return false;
    }
    if (host.getTypedPerFilterConfigMap().keySet().stream().anyMatch(filters::contains)) {
      return true;
    }
    for (Route route : host.getRoutesList()) {
      if (route.getTypedPerFilterConfigMap().keySet().stream().anyMatch(filters::contains)) {
        return true;
      }
    }
    return false;
  }
}
