// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.Loop;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** An xDS server on a manual clock, with streams that are driven by hand. */
final class AdsHarness implements AdsObserver {
  final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });
  final AdsServer server =
      new AdsServer(loop, time, new SplittableRandom(7), "holdfast-test", this);
  Snapshot snapshot = Snapshot.empty();
  final List<String> heard = new ArrayList<>();

  /** How long those who could not run something had to wait for another try. */
  final List<Duration> retries = new ArrayList<>();

  /** How often somebody was found to have all there is. */
  AdsHarness serve(Resource... resources) {
    for (Resource resource : resources) {
      snapshot = snapshot.with(resource);
    }
    return publish();
  }

  AdsHarness stop(ResourceType type, String name) {
    snapshot = snapshot.without(new ResourceId(type, name));
    return publish();
  }

  AdsHarness publish() {
    Snapshot next = snapshot;
    run(() -> server.publish(next));
    return this;
  }

  FakeXdsStream envoy(Protocol protocol) {
    return envoy(protocol, "envoy-1");
  }

  FakeXdsStream envoy(Protocol protocol, String id) {
    return new FakeXdsStream(this, protocol, id, "envoy");
  }

  FakeXdsStream grpc(Protocol protocol) {
    return new FakeXdsStream(this, protocol, "grpc-1", "gRPC Java");
  }

  void run(Runnable task) {
    loop.execute(task);
    executor.runAll();
  }

  void advance(Duration by) {
    time.advance(by, executor::runAll);
  }

  @Override
  public void connected(ProxyNode node, String address) {
    heard.add("connected " + node.id());
  }

  @Override
  public void left(ProxyNode node, String address, boolean lastOfNode) {
    heard.add("left " + node.id());
  }

  @Override
  public void subscribed(ProxyNode node, ResourceType type) {}

  @Override
  public void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos) {
    heard.add("accepted " + node.id() + " " + type.word() + " " + now.size());
  }

  @Override
  public void rejected(ProxyNode node, ResourceType type, List<Resource> culprits, String message) {
    heard.add(
        "rejected "
            + node.id()
            + " "
            + type.word()
            + " "
            + culprits.stream().map(Resource::name).toList());
  }

  @Override
  public void unable(ProxyNode node, Resource resource, String message, Instant again) {
    heard.add("unable " + node.id() + " " + resource.id() + ": " + message);
    retries.add(Duration.between(time.now(), again));
  }

  @Override
  public void silent(ProxyNode node, ResourceType type) {
    heard.add("silent " + node.id() + " " + type.word());
  }

  @Override
  public void settled(ProxyNode node, ResourceType type) {
    heard.add("settled " + node.id());
  }
}
