// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.holdfast.config.Condition;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.Event;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.RetryReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A control plane whose objects are what a test says they are. */
public final class LiveReports implements Reports {
  private final ConcurrentSkipListMap<ObjectKey, ObjectReport> objects =
      new ConcurrentSkipListMap<>();
  private final List<Consumer<Event>> watchers = new CopyOnWriteArrayList<>();
  private final AtomicLong events = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();

  /** An object is now this, and nobody is told. */
  public LiveReports set(
      String name, long generation, String status, String reason, ProxyCounts proxies) {
    ObjectKey key = key(name);
    Condition condition =
        new Condition(
            "Programmed",
            Condition.Status.valueOf(status.toUpperCase(Locale.ROOT)),
            reason,
            status.equals("False") ? "generation " + generation + " rejected by envoy 1.39.0" : "",
            generation,
            Instant.EPOCH);
    objects.put(
        key,
        new ObjectReport(
            key,
            generation,
            generation,
            List.of(condition),
            proxies,
            new TreeMap<>(),
            Collections.emptySortedSet(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            "shop.yaml:1:1"));
    return this;
  }

  public LiveReports remove(String name) {
    objects.remove(key(name));
    return this;
  }

  /** Those who watch are told that something happened. */
  public void tell() {
    Event event =
        new Event(events.incrementAndGet(), Instant.EPOCH, "programmed", null, 0, "", "", "");
    watchers.forEach(watcher -> watcher.accept(event));
  }

  /** How often objects were asked for. */
  public int reads() {
    return reads.get();
  }

  private static ObjectKey key(String name) {
    String[] parts = name.split("/", -1);
    return new ObjectKey(parts[0], parts[1], parts[2]);
  }

  @Override
  public CompletionStage<List<ObjectReport>> objects() {
    reads.incrementAndGet();
    return completedFuture(List.copyOf(objects.values()));
  }

  @Override
  public CompletionStage<Optional<ObjectReport>> object(ObjectKey key) {
    reads.incrementAndGet();
    return completedFuture(Optional.ofNullable(objects.get(key)));
  }

  @Override
  public AutoCloseable watch(Consumer<Event> listener) {
    watchers.add(listener);
    return () -> watchers.remove(listener);
  }

  @Override
  public boolean ready() {
    return true;
  }

  @Override
  public CompletionStage<List<ProxyReport>> proxies() {
    return completedFuture(List.of());
  }

  @Override
  public CompletionStage<List<ResourceReport>> resources() {
    return completedFuture(List.of());
  }

  @Override
  public CompletionStage<Optional<ResourceReport>> resource(ResourceId id) {
    return completedFuture(Optional.empty());
  }

  @Override
  public CompletionStage<List<HoldReport>> holds() {
    return completedFuture(List.of());
  }

  @Override
  public CompletionStage<List<IncidentReport>> incidents() {
    return completedFuture(List.of());
  }

  @Override
  public CompletionStage<RetryReport> retry(ObjectKey key) {
    throw new UnsupportedOperationException("retry");
  }

  @Override
  public CompletionStage<Totals> totals() {
    throw new UnsupportedOperationException("totals");
  }

  @Override
  public CompletionStage<List<ProblemReport>> problems() {
    return completedFuture(List.of());
  }

  @Override
  public CompletionStage<List<LocatedProblem>> sourceProblems() {
    return completedFuture(List.of());
  }
}
