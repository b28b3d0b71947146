// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.xds.resources.listener.HttpConnectionManager;
import dev.holdfast.xds.resources.listener.RouteSource;
import dev.holdfast.xds.resources.route.PathMatcher;
import dev.holdfast.xds.resources.route.Route;
import dev.holdfast.xds.resources.route.RouteAction;
import dev.holdfast.xds.resources.route.RouteMatch;
import dev.holdfast.xds.resources.route.VirtualHost;
import dev.holdfast.xds.resources.route.WeightedCluster;
import io.grpc.Attributes;
import io.grpc.StatusOr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Configurations of whole channels. */
public final class Configs {
  private Configs() {}

  /** With a route to each of the clusters. */
  public static XdsConfig of(ClusterConfig... configs) {
    Map<String, StatusOr<ClusterConfig>> clusters = new LinkedHashMap<>();
    for (ClusterConfig config : configs) {
      clusters.put(config.cluster().name(), StatusOr.fromValue(config));
    }
    return of(routesTo(List.copyOf(clusters.keySet())), clusters);
  }

  public static XdsConfig of(VirtualHost routes, Map<String, StatusOr<ClusterConfig>> clusters) {
    return new XdsConfig(
        new HttpConnectionManager(new RouteSource.Rds("routes"), List.of(), Duration.ZERO),
        routes,
        new LinkedHashMap<>(clusters));
  }

  /** One route to each of the clusters. */
  public static VirtualHost routesTo(List<String> clusters) {
    List<Route> routes = new ArrayList<>();
    for (String cluster : clusters) {
      routes.add(
          new Route(
              "to " + cluster,
              new RouteMatch(new PathMatcher.Prefix("/" + cluster, true), List.of(), 1_000_000),
              new RouteAction.Forward(
                  List.of(new WeightedCluster(cluster, 1)), List.of(), null, null, false)));
    }
    return new VirtualHost("vh", List.of("*"), routes);
  }

  public static Attributes attributes(XdsConfig config) {
    return Attributes.newBuilder().set(XdsConfig.KEY, config).build();
  }
}
