// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.controlplane.server.DefaultExecutorGroup;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.controlplane.server.serializer.ProtoResourcesSerializer;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;

/** java-control-plane: its server on its cache. */
final class PeerServer implements ServerUnderTest.Spoilable {
  private static final String GROUP = "all";

  private final SimpleCache<String> cache = new SimpleCache<>(node -> GROUP);
  private final V3DiscoveryServer server;
  private final List<Cluster> clusters;
  private int version;

  PeerServer(int count, ProtoResourcesSerializer serializer) {
    server = new V3DiscoveryServer(List.of(), cache, new DefaultExecutorGroup(), serializer);
    clusters = new ArrayList<>(Clusters.of(count));
    publish();
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return List.of(server.getAggregatedDiscoveryServiceImpl().bindService());
  }

  @Override
  public void change(int number) {
    int index = Clusters.index(number, clusters.size());
    clusters.set(index, Clusters.cluster(index, number));
    publish();
  }

  @Override
  public void spoil() {
    clusters.set(0, Clusters.bad());
    publish();
  }

  private void publish() {
    version++;
    cache.setSnapshot(
        GROUP,
        Snapshot.create(
            clusters, List.of(), List.of(), List.of(), List.of(), Integer.toString(version)));
  }

  @Override
  public void close() {}
}
