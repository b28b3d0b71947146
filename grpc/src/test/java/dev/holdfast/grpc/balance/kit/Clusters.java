// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.Discovery;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import dev.holdfast.xds.resources.endpoint.DropOverload;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import dev.holdfast.xds.resources.tls.UpstreamTls;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clusters whose endpoints are told apart by their ports. */
public final class Clusters {
  /** The note of all of them unless a test sets another. */
  public static final String NOTE = "node test-node";

  private Clusters() {}

  public static Cluster cluster(String name) {
    return cluster(name, LbPolicy.DEFAULT);
  }

  public static Cluster cluster(String name, LbPolicy policy) {
    return cluster(name, policy, Cluster.DEFAULT_MAX_REQUESTS, null);
  }

  public static Cluster cluster(
      String name, LbPolicy policy, long maxRequests, @Nullable OutlierDetection outliers) {
    return new Cluster(
        name, new Discovery.Eds(name + "-eds"), policy, maxRequests, null, null, outliers);
  }

  /** The same, asking for TLS. */
  public static Cluster with(UpstreamTls tls, Cluster cluster) {
    return new Cluster(
        cluster.name(),
        cluster.discovery(),
        cluster.lbPolicy(),
        cluster.maxRequests(),
        cluster.loadReporting(),
        tls,
        cluster.outlierDetection());
  }

  public static Cluster dns(String name) {
    return new Cluster(
        name,
        new Discovery.LogicalDns("example.com", 80),
        LbPolicy.DEFAULT,
        Cluster.DEFAULT_MAX_REQUESTS,
        null,
        null,
        null);
  }

  public static Endpoint endpoint(int... ports) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int port : ports) {
      addresses.add(Addresses.address(port));
    }
    return new Endpoint(addresses, 1, "host-" + ports[0]);
  }

  /** A locality of that zone, with one endpoint for each port. */
  public static LocalityEndpoints locality(String zone, int priority, int... ports) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (int port : ports) {
      endpoints.add(endpoint(port));
    }
    return new LocalityEndpoints(new Locality("r", zone, ""), priority, 1, endpoints);
  }

  public static ClusterLoadAssignment assignment(LocalityEndpoints... localities) {
    return new ClusterLoadAssignment("eds", List.of(localities), List.of());
  }

  public static ClusterLoadAssignment assignment(int... ports) {
    return assignment(locality("z", 0, ports));
  }

  public static ClusterLoadAssignment withDrops(
      ClusterLoadAssignment assignment, DropOverload... drops) {
    return new ClusterLoadAssignment(
        assignment.clusterName(), assignment.localities(), List.of(drops));
  }

  public static ClusterConfig leaf(Cluster cluster, ClusterLoadAssignment assignment) {
    return leaf(cluster, StatusOr.fromValue(assignment), NOTE);
  }

  public static ClusterConfig leaf(Cluster cluster, Status error) {
    return leaf(cluster, StatusOr.fromStatus(error), NOTE);
  }

  public static ClusterConfig leaf(
      Cluster cluster, StatusOr<ClusterLoadAssignment> assignment, String note) {
    return new ClusterConfig(cluster, new ClusterConfig.Endpoints(assignment), note);
  }

  public static ClusterConfig withNote(ClusterConfig config, String note) {
    return new ClusterConfig(config.cluster(), config.members(), note);
  }

  public static ClusterConfig aggregate(String name, String... leaves) {
    return new ClusterConfig(
        new Cluster(
            name,
            new Discovery.Aggregate(List.of(leaves)),
            LbPolicy.DEFAULT,
            Cluster.DEFAULT_MAX_REQUESTS,
            null,
            null,
            null),
        new ClusterConfig.Aggregate(List.of(leaves)),
        NOTE);
  }
}
