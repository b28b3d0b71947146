// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.Event;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.RetryReport;
import dev.holdfast.controlplane.report.StateProblem;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Says what a test wants it to say. */
public final class FakeReports implements Reports {
  private final List<Consumer<Event>> watchers = new CopyOnWriteArrayList<>();

  /** What was asked to be tried again. */
  public final List<ObjectKey> retried = new CopyOnWriteArrayList<>();

  public volatile List<ObjectReport> objects = List.of();
  public volatile List<ProxyReport> proxies = List.of();
  public volatile List<FleetReport> fleets = List.of();
  public volatile List<ResourceReport> resources = List.of();
  public volatile List<HoldReport> holds = List.of();
  public volatile List<IncidentReport> incidents = List.of();
  public volatile List<ProblemReport> problems = List.of();
  public volatile DeletionsReport deletions = DeletionsReport.NONE;
  public volatile Totals totals = SampleReports.totals();
  public volatile List<LocatedProblem> sourceProblems = List.of();
  public volatile boolean ready = true;
  public volatile @Nullable StateProblem stateProblem;

  /** If set, nothing is answered but with this. */
  public volatile @Nullable RuntimeException failure;

  /** If set, nothing is answered at all. */
  public volatile boolean silent;

  /** If set, it is as if the control plane were closed already. */
  public volatile boolean closed;

  private <T> CompletionStage<T> answer(T value) {
    if (closed) {
      throw new RejectedExecutionException("closed");
    }
    RuntimeException error = failure;
    if (error != null) {
      return CompletableFuture.failedFuture(error);
    }
    return silent ? new CompletableFuture<>() : CompletableFuture.completedFuture(value);
  }

  @Override
  public CompletionStage<List<ObjectReport>> objects() {
    return answer(objects);
  }

  @Override
  public CompletionStage<Optional<ObjectReport>> object(ObjectKey key) {
    return answer(objects.stream().filter(report -> report.key().equals(key)).findFirst());
  }

  @Override
  public CompletionStage<DeletionsReport> deletions() {
    return answer(deletions);
  }

  @Override
  public CompletionStage<Optional<DeletionsReport>> confirmDeletions(String set) {
    DeletionsReport waiting = deletions;
    if (waiting.items().isEmpty() || !(set.isEmpty() || set.equals(waiting.set()))) {
      return answer(Optional.empty());
    }
    deletions = DeletionsReport.NONE;
    return answer(Optional.of(waiting));
  }

  @Override
  public CompletionStage<List<FleetReport>> fleets() {
    return answer(fleets);
  }

  @Override
  public CompletionStage<List<ProxyReport>> proxies() {
    return answer(proxies);
  }

  @Override
  public CompletionStage<List<ResourceReport>> resources() {
    return answer(resources);
  }

  @Override
  public CompletionStage<Optional<ResourceReport>> resource(ResourceId id) {
    return answer(resources.stream().filter(r -> r.resource().id().equals(id)).findFirst());
  }

  @Override
  public CompletionStage<List<HoldReport>> holds() {
    return answer(holds);
  }

  @Override
  public CompletionStage<List<IncidentReport>> incidents() {
    return answer(incidents);
  }

  @Override
  public CompletionStage<RetryReport> retry(ObjectKey key) {
    retried.add(key);
    RetryReport.Outcome outcome =
        holds.stream().anyMatch(hold -> hold.key().equals(key))
            ? RetryReport.Outcome.STARTED
            : objects.stream().anyMatch(object -> object.key().equals(key))
                ? RetryReport.Outcome.NOT_HELD
                : RetryReport.Outcome.UNKNOWN;
    return answer(new RetryReport(outcome, key, 3));
  }

  @Override
  public CompletionStage<Totals> totals() {
    return answer(totals);
  }

  @Override
  public CompletionStage<List<ProblemReport>> problems() {
    return answer(problems);
  }

  @Override
  public CompletionStage<List<LocatedProblem>> sourceProblems() {
    return answer(sourceProblems);
  }

  @Override
  public @Nullable StateProblem stateProblem() {
    return stateProblem;
  }

  @Override
  public boolean ready() {
    return ready;
  }

  @Override
  public AutoCloseable watch(Consumer<Event> listener) {
    watchers.add(listener);
    return () -> watchers.remove(listener);
  }

  /** Something happens. */
  public void happen(long id, String kind, String message) {
    Event event = new Event(id, Instant.EPOCH, kind, null, 0, "", "", message);
    watchers.forEach(watcher -> watcher.accept(event));
  }

  public int watchers() {
    return watchers.size();
  }

  /** What callers changed. */
  public final List<String> audited = new CopyOnWriteArrayList<>();

  @Override
  public void audited(String line, @Nullable ObjectKey object) {
    audited.add(line);
  }
}
