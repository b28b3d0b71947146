// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What can be asked, and asked for, of a control plane. Answers come from its loop, in the order of
 * asking.
 */
public interface Reports {
  /** All objects by kind, namespace, name. */
  CompletionStage<List<ObjectReport>> objects();

  CompletionStage<Optional<ObjectReport>> object(ObjectKey key);

  /** All connected proxies, by node. */
  CompletionStage<List<ProxyReport>> proxies();

  /** All resources that are served, by type and name. */
  CompletionStage<List<ResourceReport>> resources();

  CompletionStage<Optional<ResourceReport>> resource(ResourceId id);

  /** All objects that are held, by kind, namespace, name. */
  CompletionStage<List<HoldReport>> holds();

  /** The last rejections and what came of them, newest first. */
  CompletionStage<List<IncidentReport>> incidents();

  /** Has an object tried again that is held, although nothing about it changed. */
  CompletionStage<RetryReport> retry(ObjectKey key);

  CompletionStage<Totals> totals();

  /** What is wrong with the source of objects. */
  CompletionStage<List<LocatedProblem>> sourceProblems();

  /** Whether the source has told all it has, and that is being served. */
  boolean ready();

  /**
   * Hands over everything that happens from now on, from the loop: the listener must not block. The
   * result ends it.
   */
  AutoCloseable watch(Consumer<Event> listener);
}
