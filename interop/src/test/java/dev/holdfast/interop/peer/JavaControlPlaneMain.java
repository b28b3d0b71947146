// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.peer;

import dev.holdfast.testkit.Resources;
import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * java-control-plane's server on a port of the loopback interface. Each line on standard input is a
 * snapshot: {@code VERSION [listener NAME=ROUTE | route NAME[=CLUSTER] | cluster NAME[=SERVICE] |
 * bad NAME | endpoint NAME[=PORT]]...}; {@code =SERVICE} makes two clusters of one name differ,
 * {@code bad} is a cluster that gRPC rejects, {@code =PORT} is one of the loopback interface.
 */
public final class JavaControlPlaneMain {
  private static final String GROUP = "all";

  private JavaControlPlaneMain() {}

  public static void main(String[] args) throws IOException {
    SimpleCache<String> cache = new SimpleCache<>(node -> GROUP);
    V3DiscoveryServer discovery = new V3DiscoveryServer(cache);
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])))
            .addService(discovery.getAggregatedDiscoveryServiceImpl())
            .build()
            .start();
    System.out.println("port " + server.getPort());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      cache.setSnapshot(GROUP, snapshot(line.split(" ")));
      System.out.println("set " + line);
    }
    server.shutdownNow();
  }

  private static Snapshot snapshot(String[] words) {
    List<Cluster> clusters = new ArrayList<>();
    List<ClusterLoadAssignment> endpoints = new ArrayList<>();
    List<RouteConfiguration> routes = new ArrayList<>();
    List<Listener> listeners = new ArrayList<>();
    for (int i = 1; i + 1 < words.length; i += 2) {
      String name = words[i + 1];
      switch (words[i]) {
        case "cluster" -> clusters.add(cluster(name));
        case "bad" ->
            clusters.add(
                Cluster.newBuilder()
                    .setName(name)
                    .setType(Cluster.DiscoveryType.ORIGINAL_DST)
                    .build());
        case "endpoint" -> endpoints.add(endpoints(name));
        case "route" -> routes.add(routes(name));
        case "listener" -> listeners.add(listener(name));
        default -> throw new IllegalArgumentException(words[i]);
      }
    }
    return Snapshot.create(clusters, endpoints, listeners, routes, List.of(), words[0]);
  }

  private static Cluster cluster(String nameAndService) {
    String[] parts = nameAndService.split("=", -1);
    return Cluster.newBuilder()
        .setName(parts[0])
        .setType(Cluster.DiscoveryType.EDS)
        .setEdsClusterConfig(
            Cluster.EdsClusterConfig.newBuilder()
                .setServiceName(parts[parts.length - 1])
                .setEdsConfig(
                    ConfigSource.newBuilder().setAds(AggregatedConfigSource.getDefaultInstance())))
        .build();
  }

  private static ClusterLoadAssignment endpoints(String nameAndPort) {
    String[] parts = nameAndPort.split("=", -1);
    return parts.length == 1
        ? ClusterLoadAssignment.newBuilder().setClusterName(nameAndPort).build()
        : Resources.endpoints(parts[0], Integer.parseInt(parts[1]));
  }

  private static RouteConfiguration routes(String nameAndCluster) {
    String[] parts = nameAndCluster.split("=", -1);
    return parts.length == 1
        ? RouteConfiguration.newBuilder()
            .setName(nameAndCluster)
            .addVirtualHosts(VirtualHost.newBuilder().setName("v").addDomains("*"))
            .build()
        : Resources.routesTo(parts[0], parts[1]);
  }

  private static Listener listener(String nameAndRoute) {
    String[] parts = nameAndRoute.split("=", -1);
    return Resources.apiListener(parts[0], parts[1]);
  }
}
