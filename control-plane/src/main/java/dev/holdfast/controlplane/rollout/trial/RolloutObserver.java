// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.hold.HoldObserver;
import dev.holdfast.controlplane.rollout.search.Incident;
import java.util.Collection;
import java.util.Set;

/** Is called, on the loop, with the results of a rollout. */
public interface RolloutObserver extends HoldObserver {
  /**
   * The baseline is about to take these generations; it has not changed yet.
   *
   * @param voters the classes that tried and accepted them
   */
  default void accepting(Collection<ConfigObject> objects, Set<String> voters) {}

  /**
   * The baseline is about to take these generations without a trial, because they change no
   * resource that its proxies are served.
   */
  default void unnoticed(Collection<ConfigObject> objects) {}

  /** Every class accepted these generations. They are in the baseline. */
  void committed(Collection<ConfigObject> objects);

  /** Runs a task on the loop when everything reported so far would survive a crash. */
  void whenDurable(Runnable task);

  /** An incident began, made progress or ended. */
  void incident(Incident incident);
}
