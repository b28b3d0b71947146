// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.Message;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.xds.client.ResourceType;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.EnumMap;
import java.util.Map;

/** The types of one client; there is one instance of each, as the engine asks. */
final class RawResourceTypes {
  private final Map<TypeAlias, ResourceType<Message>> types = new EnumMap<>(TypeAlias.class);

  RawResourceTypes(XdsTypes judges) {
    add(TypeAlias.LISTENER, judges.listener(), Listener.getDefaultInstance());
    add(TypeAlias.ROUTE, judges.routeConfiguration(), RouteConfiguration.getDefaultInstance());
    add(TypeAlias.CLUSTER, judges.cluster(), Cluster.getDefaultInstance());
    add(
        TypeAlias.ENDPOINT,
        judges.clusterLoadAssignment(),
        ClusterLoadAssignment.getDefaultInstance());
  }

  private void add(TypeAlias word, ResourceType<?> judge, Message message) {
    types.put(word, new RawResourceType(judge, message));
  }

  ResourceType<Message> of(TypeAlias word) {
    ResourceType<Message> type = types.get(word);
    if (type == null) {
      throw new IllegalArgumentException("word: " + word + " (expected: a type of resource)");
    }
    return type;
  }
}
