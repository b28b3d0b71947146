// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Loop;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.SystemTime;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.AdsServer;
import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** Holdfast's xDS server alone, with a snapshot that is made for it. */
final class HoldfastServer implements ServerUnderTest.Spoilable {
  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new IllegalStateException("the loop failed", e);
          });
  private final AdsServer server =
      new AdsServer(
          loop,
          SystemTime.instance(),
          new SplittableRandom(),
          "holdfast",
          new NoopObserver(),
          UnaryOperator.identity());
  private final int count;
  private Snapshot snapshot = Snapshot.empty();

  HoldfastServer(int count) {
    this.count = count;
    for (Cluster cluster : Clusters.of(count)) {
      snapshot = snapshot.with(resource(cluster));
    }
    publish();
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return DiscoveryServices.of(server);
  }

  @Override
  public Port listen() {
    return Port.ofHoldfast(services());
  }

  @Override
  public void change(int number) {
    snapshot = snapshot.with(resource(Clusters.cluster(Clusters.index(number, count), number)));
    publish();
  }

  @Override
  public void spoil() {
    snapshot = snapshot.with(resource(Clusters.bad()));
    publish();
  }

  private void publish() {
    Snapshot next = snapshot;
    loop.execute(() -> server.publish(next));
  }

  /** Each of an object of its own, as in real life, so that nothing counts as proven. */
  private static Resource resource(Cluster cluster) {
    ByteString body = Digests.serialise(cluster);
    String version = Digests.of(body);
    return new Resource(
        new ResourceId(ResourceType.CLUSTER, cluster.getName()),
        version,
        body,
        Resource.Audience.ALL,
        PersistentMap.<ObjectKey, String>empty()
            .with(new ObjectKey("Service", "default", cluster.getName()), version),
        PersistentMap.empty(),
        List::of);
  }

  @Override
  public void close() {
    loop.execute(server::close);
    executor.shutdown();
  }
}
