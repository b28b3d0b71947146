// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.Event;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ObjectState;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.RetryReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says what a test wants it to say; the numbers follow from that. */
final class StubReports implements Reports {
  private final List<Consumer<Event>> watchers = new CopyOnWriteArrayList<>();

  /** What was asked to be tried again. */
  final List<ObjectKey> retried = new CopyOnWriteArrayList<>();

  volatile List<ObjectReport> objects = List.of();
  volatile List<ProxyReport> proxies = List.of();
  volatile List<FleetReport> fleets = List.of();
  volatile List<ResourceReport> resources = List.of();
  volatile List<HoldReport> holds = List.of();
  volatile List<IncidentReport> incidents = List.of();
  volatile DeletionsReport deletions = DeletionsReport.NONE;
  volatile List<LocatedProblem> sourceProblems = List.of();
  volatile List<ProblemReport> proxyProblems = List.of();

  @Override
  public CompletionStage<List<ObjectReport>> objects() {
    return CompletableFuture.completedFuture(objects);
  }

  @Override
  public CompletionStage<Optional<ObjectReport>> object(ObjectKey key) {
    return CompletableFuture.completedFuture(
        objects.stream().filter(report -> report.key().equals(key)).findFirst());
  }

  @Override
  public CompletionStage<DeletionsReport> deletions() {
    return CompletableFuture.completedFuture(deletions);
  }

  @Override
  public CompletionStage<Optional<DeletionsReport>> confirmDeletions(String set) {
    DeletionsReport waiting = deletions;
    deletions = DeletionsReport.NONE;
    return CompletableFuture.completedFuture(
        set.equals(waiting.set()) ? Optional.of(waiting) : Optional.empty());
  }

  @Override
  public CompletionStage<List<ProxyReport>> proxies() {
    return CompletableFuture.completedFuture(proxies);
  }

  @Override
  public CompletionStage<List<FleetReport>> fleets() {
    return CompletableFuture.completedFuture(fleets);
  }

  @Override
  public CompletionStage<List<ResourceReport>> resources() {
    return CompletableFuture.completedFuture(resources);
  }

  @Override
  public CompletionStage<Optional<ResourceReport>> resource(ResourceId id) {
    return CompletableFuture.completedFuture(
        resources.stream().filter(report -> report.resource().id().equals(id)).findFirst());
  }

  @Override
  public CompletionStage<List<HoldReport>> holds() {
    return CompletableFuture.completedFuture(holds);
  }

  @Override
  public CompletionStage<List<IncidentReport>> incidents() {
    return CompletableFuture.completedFuture(incidents);
  }

  @Override
  public CompletionStage<RetryReport> retry(ObjectKey key) {
    retried.add(key);
    return CompletableFuture.completedFuture(
        new RetryReport(RetryReport.Outcome.STARTED, key, /* generation= */ 3));
  }

  @Override
  public CompletionStage<Totals> totals() {
    Map<String, Integer> kinds = new TreeMap<>();
    Map<String, Integer> reasons = new TreeMap<>();
    for (ObjectReport object : objects) {
      kinds.merge(object.key().kind(), 1, Integer::sum);
      object.conditions().stream()
          .filter(condition -> condition.type().equals("Programmed"))
          .forEach(condition -> reasons.merge(condition.reason(), 1, Integer::sum));
    }
    return CompletableFuture.completedFuture(
        new Totals(
            kinds,
            reasons,
            /* invalid= */ 0,
            proxies.size(),
            /* streams= */ proxies.size(),
            /* unable= */ (int)
                problemsNow().stream()
                    .filter(problem -> problem.reason().equals(ProblemReport.LOCAL_PROBLEM))
                    .count(),
            (int) proxies.stream().filter(proxy -> proxy.diverged() != null).count(),
            Map.of(),
            /* suppressed= */ 0,
            holds.stream().collect(Collectors.toMap(HoldReport::reason, h -> 1, Integer::sum)),
            new Totals.Searches(0, 0, Duration.ZERO),
            sourceProblems.size(),
            ObjectState.count(objects),
            ProblemReport.count(problemsNow(), ProblemReport.Severity.PROBLEM),
            ProblemReport.count(problemsNow(), ProblemReport.Severity.WARNING)));
  }

  /** Of proxies, what a test says; of the rest, what follows from it. */
  private List<ProblemReport> problemsNow() {
    List<ProblemReport> all = new ArrayList<>();
    for (LocatedProblem problem : sourceProblems) {
      String place = problem.position().toString();
      all.add(
          ProblemReport.ofSource(
              problem.problem().toString(), place, List.of(), List.of(), Instant.now()));
    }
    for (ObjectReport object : objects) {
      ProblemReport problem = ProblemReport.of(object);
      if (problem != null) {
        all.add(problem);
      }
    }
    all.addAll(proxyProblems);
    for (ObjectReport object : objects) {
      ProblemReport warning = ProblemReport.warning(object);
      if (warning != null) {
        all.add(warning);
      }
    }
    return all;
  }

  @Override
  public CompletionStage<List<ProblemReport>> problems() {
    return CompletableFuture.completedFuture(problemsNow());
  }

  @Override
  public CompletionStage<List<LocatedProblem>> sourceProblems() {
    return CompletableFuture.completedFuture(sourceProblems);
  }

  @Override
  public boolean ready() {
    return true;
  }

  @Override
  public AutoCloseable watch(Consumer<Event> listener) {
    watchers.add(listener);
    return () -> watchers.remove(listener);
  }

  /** Something happens. */
  void happen(long id, String kind, @Nullable ObjectKey object, String message) {
    Event event = new Event(id, Instant.now(), kind, object, 1, "", "", message);
    watchers.forEach(watcher -> watcher.accept(event));
  }
}
