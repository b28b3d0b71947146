// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queries and commands of the admin API. They are answered on the control plane's loop, in the
 * order of the calls.
 */
public interface Reports {
  /** All objects by kind, namespace, name. */
  CompletionStage<List<ObjectReport>> objects();

  CompletionStage<Optional<ObjectReport>> object(ObjectKey key);

  /** All connected proxies, by node. */
  CompletionStage<List<ProxyReport>> proxies();

  /** The fleets that the operator expects, by name; empty if nobody said what to expect. */
  default CompletionStage<List<FleetReport>> fleets() {
    return CompletableFuture.completedFuture(List.of());
  }

  /** All resources that are served, by type and name. */
  CompletionStage<List<ResourceReport>> resources();

  CompletionStage<Optional<ResourceReport>> resource(ResourceId id);

  /** All objects that are held, by kind, namespace, name. */
  CompletionStage<List<HoldReport>> holds();

  /** The latest rejections and the searches for their causes, newest first. */
  CompletionStage<List<IncidentReport>> incidents();

  /** Tries a held object again although it has not changed. */
  CompletionStage<RetryReport> retry(ObjectKey key);

  /** The deletions that wait for a confirmation. */
  default CompletionStage<DeletionsReport> deletions() {
    return CompletableFuture.completedFuture(DeletionsReport.NONE);
  }

  /**
   * Confirms every deletion that waits.
   *
   * @param set the set that the caller has seen: if others wait now, nothing happens. Empty for any
   * @return what was confirmed; empty if nothing waits, or if others wait than the caller has seen
   */
  default CompletionStage<Optional<DeletionsReport>> confirmDeletions(String set) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  CompletionStage<Totals> totals();

  /**
   * Everything that is not as its author wants it: files, objects, proxies; then the warnings of
   * objects.
   */
  CompletionStage<List<ProblemReport>> problems();

  /** The problems of the object source, such as unreadable files. */
  CompletionStage<List<LocatedProblem>> sourceProblems();

  /** Why edits wait although they are fine; null if they do not. Any thread may ask. */
  default @Nullable StateProblem stateProblem() {
    return null;
  }

  /** The errors of the control plane itself. Any thread may ask. */
  default InternalErrorReport internalErrors() {
    return InternalErrorReport.NONE;
  }

  /** How often peers were refused because of a limit, by limit. Any thread may ask. */
  default SortedMap<String, Long> refusals() {
    return Collections.emptySortedMap();
  }

  /** Whether the source has reported all of its objects and they have been translated. */
  boolean ready();

  /**
   * Passes all events from now on to the listener, until the result is closed. The listener is
   * called on the loop and must not block.
   */
  AutoCloseable watch(Consumer<Event> listener);

  /**
   * Takes down in the history what a caller changed, or could not change.
   *
   * @param object null if it was not about one
   */
  default void audited(String line, @Nullable ObjectKey object) {}
}
