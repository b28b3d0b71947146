// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.controlplane.snapshot.Resource;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * The names under which clusters request their endpoints. Remembers the latest answer, because all
 * streams ask for the same cluster in turn.
 */
public final class EdsServiceNames {
  private @Nullable Resource last;
  private @Nullable String name;

  /** The name of the endpoints; null if the cluster does not use EDS. */
  @Nullable String of(Resource cluster) {
    if (!cluster.equals(last)) {
      name = read(cluster);
      last = cluster;
    }
    return name;
  }

  private static @Nullable String read(Resource resource) {
    try {
      Cluster cluster = Cluster.parseFrom(resource.body());
      if (cluster.getType() != Cluster.DiscoveryType.EDS) {
        return null;
      }
      String service = cluster.getEdsClusterConfig().getServiceName();
      return service.isEmpty() ? cluster.getName() : service;
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(resource + " is not a cluster", e);
    }
  }
}
