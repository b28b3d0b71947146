// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.resources.listener.HttpConnectionManager;
import dev.holdfast.xds.resources.route.Route;
import dev.holdfast.xds.resources.route.RouteAction;
import dev.holdfast.xds.resources.route.VirtualHost;
import dev.holdfast.xds.resources.route.WeightedCluster;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a listener and its routes come to for one authority.
 *
 * @param clusters all that the routes name
 */
record Routes(HttpConnectionManager manager, VirtualHost virtualHost, SortedSet<String> clusters) {

  static Routes of(HttpConnectionManager manager, VirtualHost virtualHost) {
    SortedSet<String> clusters = new TreeSet<>();
    for (Route route : virtualHost.routes()) {
      if (route.action() instanceof RouteAction.Forward forward) {
        for (WeightedCluster cluster : forward.clusters()) {
          clusters.add(cluster.name());
        }
      }
    }
    return new Routes(manager, virtualHost, clusters);
  }

  /** These routes, made of the objects of older ones wherever they are equal. */
  Routes reusing(Routes older) {
    boolean sameManager = manager.equals(older.manager);
    boolean sameHost = virtualHost.equals(older.virtualHost);
    if (sameManager && sameHost) {
      return older;
    }
    return new Routes(
        sameManager ? older.manager : manager,
        sameHost ? older.virtualHost : virtualHost,
        sameHost ? older.clusters : clusters);
  }
}
