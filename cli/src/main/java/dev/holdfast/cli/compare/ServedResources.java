// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.util.SortedMap;
import java.util.TreeMap;

/** The resources of one server, by name. */
final class ServedResources {
  final SortedMap<String, Listener> listeners = new TreeMap<>();
  final SortedMap<String, RouteConfiguration> routes = new TreeMap<>();
  final SortedMap<String, Cluster> clusters = new TreeMap<>();
  final SortedMap<String, ClusterLoadAssignment> endpoints = new TreeMap<>();
  final SortedMap<String, Secret> secrets = new TreeMap<>();

  /**
   * Adds a resource; one of a type that is not compared is passed over.
   *
   * @return its name; empty if it was passed over
   */
  String add(ResourceType type, ByteString body) throws InvalidProtocolBufferException {
    return switch (type) {
      case LISTENER -> {
        Listener listener = Listener.parseFrom(body);
        listeners.put(listener.getName(), listener);
        yield listener.getName();
      }
      case ROUTES -> {
        RouteConfiguration table = RouteConfiguration.parseFrom(body);
        routes.put(table.getName(), table);
        yield table.getName();
      }
      case CLUSTER -> {
        Cluster cluster = Cluster.parseFrom(body);
        clusters.put(cluster.getName(), cluster);
        yield cluster.getName();
      }
      case ENDPOINTS -> {
        ClusterLoadAssignment assignment = ClusterLoadAssignment.parseFrom(body);
        endpoints.put(assignment.getClusterName(), assignment);
        yield assignment.getClusterName();
      }
      case SECRET -> {
        Secret secret = Secret.parseFrom(body);
        secrets.put(secret.getName(), secret);
        yield secret.getName();
      }
      case EXTENSION, VIRTUAL_HOST -> "";
    };
  }
}
