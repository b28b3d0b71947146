// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.base.Env;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StatusSink;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.ControlPlaneOptions;
import dev.holdfast.testkit.ManualExecutor;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The control plane from one start to its crash: what had not happened by then never does. */
final class Life {
  private final ManualExecutor turns = new ManualExecutor();
  private final ManualExecutor writes = new ManualExecutor();
  private final ControlPlane plane;
  private final ServerServiceDefinition service;
  private boolean over;

  /** Whether it did something since somebody asked. */
  private boolean news;

  Life(TimeSource time, StateStore store, StatusSink sink, ControlPlaneOptions options) {
    plane =
        new ControlPlane(
            new Env(turns, new Mortal(time), new SplittableRandom(1)),
            writes,
            options,
            store,
            changed -> {
              if (!over) {
                sink.report(changed);
              }
            });
    service =
        plane.services().stream()
            .filter(
                each ->
                    each.getServiceDescriptor()
                        .getName()
                        .equals(AggregatedDiscoveryServiceGrpc.SERVICE_NAME))
            .findFirst()
            .orElseThrow();
  }

  ServerMethodDefinition<?, ?> method(boolean delta) {
    ServerMethodDefinition<?, ?> method =
        service.getMethod(
            (delta
                    ? AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()
                    : AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod())
                .getFullMethodName());
    if (method == null) {
      throw new AssertionError("no aggregated service");
    }
    return method;
  }

  void change(ObjectChanges changes) {
    plane.onChange(changes);
  }

  boolean hasTurn() {
    return turns.pending() > 0;
  }

  void turn() {
    news = true;
    turns.runAll();
  }

  /** Whether it has something new to say, and nothing else to do. */
  boolean hasNews() {
    boolean any = news && !hasTurn();
    news &= !any;
    return any;
  }

  boolean hasWrite() {
    return writes.pending() > 0;
  }

  void write() {
    writes.runOne();
  }

  /** Whether it has nothing more to do, and all that it knows is durable. */
  boolean isIdle() {
    return !hasTurn() && !hasWrite();
  }

  /** What the control plane says of itself. It must not have anything else to do. */
  <T> T ask(Function<ControlPlane, CompletionStage<T>> question) {
    CompletionStage<T> answer = question.apply(plane);
    turns.runAll();
    @Nullable T value = answer.toCompletableFuture().getNow(null);
    if (value == null) {
      throw new AssertionError("no answer");
    }
    return value;
  }

  /** Somebody confirms the deletions that wait, if there are any. */
  void confirmDeletions() {
    ask(plane -> plane.confirmDeletions(""));
  }

  void crash() {
    over = true;
  }

  /** Time as one process sees it. */
  private final class Mortal implements TimeSource {
    private final TimeSource time;

    Mortal(TimeSource time) {
      this.time = time;
    }

    @Override
    public Instant now() {
      return time.now();
    }

    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      return time.schedule(
          delay,
          () -> {
            if (!over) {
              task.run();
            }
          });
    }
  }
}
