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
final class RawTypes {
  private final Map<TypeWord, ResourceType<Message>> types = new EnumMap<>(TypeWord.class);

  RawTypes(XdsTypes judges) {
    add(TypeWord.LISTENER, judges.listener(), Listener.getDefaultInstance());
    add(TypeWord.ROUTE, judges.routeConfiguration(), RouteConfiguration.getDefaultInstance());
    add(TypeWord.CLUSTER, judges.cluster(), Cluster.getDefaultInstance());
    add(
        TypeWord.ENDPOINT,
        judges.clusterLoadAssignment(),
        ClusterLoadAssignment.getDefaultInstance());
  }

  private void add(TypeWord word, ResourceType<?> judge, Message message) {
    types.put(word, new RawType(judge, message));
  }

  ResourceType<Message> of(TypeWord word) {
    ResourceType<Message> type = types.get(word);
    if (type == null) {
      throw new IllegalArgumentException("word: " + word + " (expected: a type of resource)");
    }
    return type;
  }
}
