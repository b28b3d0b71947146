// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import dev.holdfast.grpc.transport.UserAgent;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The parts of a node that are not the bootstrap's to say: what this client is and can do. */
final class NodeIdentity {
  private static final List<String> CLIENT_FEATURES =
      List.of("envoy.lb.does_not_support_overprovisioning", "xds.config.resource-in-sotw");

  private NodeIdentity() {}

  static Node complete(Node node) {
    Set<String> features = new LinkedHashSet<>(node.getClientFeaturesList());
    features.addAll(CLIENT_FEATURES);
    return node.toBuilder()
        .setUserAgentName(UserAgent.NAME)
        .setUserAgentVersion(UserAgent.VERSION)
        .clearClientFeatures()
        .addAllClientFeatures(features)
        .build();
  }
}
