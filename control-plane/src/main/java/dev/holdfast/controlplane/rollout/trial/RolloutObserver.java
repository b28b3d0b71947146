// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.HoldObserver;
import dev.holdfast.controlplane.rollout.search.Incident;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Is called, on the loop, with the results of a rollout. */
public interface RolloutObserver extends HoldObserver {
  /**
   * A trial that is not part of a search is shown to canaries.
   *
   * @param canaries their node ids
   */
  default void trying(Collection<ConfigObject> objects, Collection<String> canaries) {}

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

  /**
   * The baseline is about to take an object, and may have to give it back.
   *
   * @param before the generation that is served until then; null if none is
   */
  default void replaced(ObjectKey key, @Nullable ConfigObject before) {}

  /** Most proxies run what replaced the earlier generations of some objects. */
  default void settled(Collection<ObjectKey> keys) {}

  /** Most proxies of a class refuse these generations, which are no longer in the baseline. */
  default void undone(Collection<ObjectKey> keys, Verdict.Refused refused) {}

  /** Every class accepted these generations. They are in the baseline. */
  void committed(Collection<ConfigObject> objects);

  /**
   * Evidence no longer counts: the class that gave it has accepted what it is against, or somebody
   * wants that tried again.
   */
  default void evidenceForgotten(Evidence evidence) {}

  /** Runs a task on the loop when everything reported so far would survive a crash. */
  void whenDurable(Runnable task);

  /**
   * An error of our own, after which everything else goes on.
   *
   * @param what was being done
   */
  void internalError(String what, Throwable error);

  /** An incident began, made progress or ended. */
  void incident(Incident incident);
}
