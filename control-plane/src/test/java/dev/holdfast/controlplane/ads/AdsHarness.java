// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.Loop;
import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.view.ScoutSettings;
import dev.holdfast.controlplane.ads.wire.AdsLimits;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.ledger.DecisionProbe;
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
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** An xDS server on a manual clock, with fake streams; records what its observer sees. */
public final class AdsHarness implements AdsObserver {
  public final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });
  public final AdsServer server;
  public Snapshot snapshot = Snapshot.empty();
  public final List<String> observed = new ArrayList<>();

  /** The delays of retries after local problems. */
  public final List<Duration> retries = new ArrayList<>();

  private boolean paused;

  public AdsHarness() {
    this(AccessPolicy.NONE);
  }

  /** One with rules for clients. */
  public AdsHarness(AccessPolicy access) {
    this(access, ScoutSettings.NO_SINK);
  }

  /** One with settings for scouts. */
  public AdsHarness(AccessPolicy access, ScoutSettings scouts) {
    this(access, scouts, /* vhds= */ false);
  }

  /** One that offers each host as a resource of its own, or does not. */
  public AdsHarness(AccessPolicy access, ScoutSettings scouts, boolean vhds) {
    server =
        new AdsServer(
            loop,
            time,
            new SplittableRandom(7),
            "holdfast-test",
            this,
            UnaryOperator.identity(),
            AdsLimits.defaults(),
            access,
            scouts,
            vhds,
            DecisionProbe.NONE);
  }

  public AdsHarness serve(Resource... resources) {
    for (Resource resource : resources) {
      snapshot = snapshot.with(resource);
    }
    return publish();
  }

  public AdsHarness stop(ResourceType type, String name) {
    snapshot = snapshot.without(new ResourceId(type, name));
    return publish();
  }

  public AdsHarness publish() {
    Snapshot next = snapshot;
    run(() -> server.publish(next));
    return this;
  }

  public FakeXdsStream envoy(Protocol protocol) {
    return envoy(protocol, "envoy-1");
  }

  public FakeXdsStream envoy(Protocol protocol, String id) {
    return new FakeXdsStream(this, protocol, id, "envoy");
  }

  public FakeXdsStream grpc(Protocol protocol) {
    return new FakeXdsStream(this, protocol, "grpc-1", "gRPC Java");
  }

  public void run(Runnable task) {
    loop.execute(task);
    if (!paused) {
      executor.runAll();
    }
  }

  /** From now on the server only does something in a {@link #turn}. */
  public void pause() {
    paused = true;
  }

  /** One turn of the loop, with all that was waiting when it began. */
  public void turn() {
    executor.runOne();
  }

  /** All turns, and all that follow. */
  public void resume() {
    paused = false;
    executor.runAll();
  }

  public void advance(Duration by) {
    time.advance(by, executor::runAll);
  }

  @Override
  public void connected(ProxyNode node, String address) {
    observed.add("connected " + node.id());
  }

  @Override
  public void nodeIdShared(ProxyNode node, ProxyNode eldest, String address) {
    observed.add("shared " + node.id() + " with " + eldest.id());
  }

  @Override
  public void notAllowed(String node, String address, String why) {
    observed.add("refused " + why);
  }

  @Override
  public void startedAnew(ProxyNode node) {
    observed.add("started " + node.id());
  }

  @Override
  public void indistinct(ProxyNode node, Collection<RejectedVersions.Key> versions) {
    observed.add("indistinct " + node.id() + " " + versions.size());
  }

  @Override
  public void forgotten(ProxyNode node, Collection<RejectedVersions.Key> versions) {
    observed.add(
        "forgot " + node.id() + " " + versions.stream().map(key -> key.id().name()).toList());
  }

  @Override
  public void disconnected(ProxyNode node, String address, boolean lastOfNode) {
    observed.add("left " + node.id());
  }

  @Override
  public void subscribed(ProxyNode node, ResourceType type) {}

  @Override
  public void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos) {
    observed.add("accepted " + node.id() + " " + type.word() + " " + now.size());
  }

  @Override
  public void rejected(
      ProxyNode node, ResourceType type, List<Resource> offenders, String message) {
    observed.add(
        "rejected "
            + node.id()
            + " "
            + type.word()
            + " "
            + offenders.stream().map(Resource::name).toList());
  }

  @Override
  public void removalRefused(
      ProxyNode node, ResourceType type, Collection<String> names, String message) {
    observed.add("kept " + node.id() + " " + type.word() + " " + names + ": " + message);
  }

  @Override
  public void localProblem(ProxyNode node, Resource resource, String message, Instant again) {
    observed.add("unable " + node.id() + " " + resource.id() + ": " + message);
    retries.add(Duration.between(time.now(), again));
  }

  @Override
  public void internalError(String what, Throwable error) {
    observed.add("error while " + what);
  }

  @Override
  public void overdue(ProxyNode node, ResourceType type) {
    observed.add("silent " + node.id() + " " + type.word());
  }

  @Override
  public void settled(ProxyNode node, ResourceType type) {
    observed.add("settled " + node.id());
  }
}
