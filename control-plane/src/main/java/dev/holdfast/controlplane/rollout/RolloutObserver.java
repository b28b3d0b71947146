// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.Collection;
import java.util.Set;

/** Is told what becomes of objects, on the loop. */
public interface RolloutObserver {
  /**
   * These generations are about to be what is served; what is served until now has not changed yet.
   *
   * @param voters the classes that tried and accepted them
   */
  default void accepting(Collection<ConfigObject> objects, Set<String> voters) {}

  /**
   * These generations are about to be what is served, untried: for those who are served what is
   * served until now, nothing comes of them.
   */
  default void unnoticed(Collection<ConfigObject> objects) {}

  /** These generations were accepted by every class, and are what everybody is served. */
  void committed(Collection<ConfigObject> objects);

  /** What was accepted of an object is served no longer, though the object is there. */
  void dropped(ObjectKey key);

  /** Runs a task on the loop when all that was told until now would survive a crash. */
  void whenDurable(Runnable task);

  /** An object is kept from its newest generation. */
  void held(Hold hold);

  /** An object is held no longer. */
  void released(ObjectKey key);

  /** Something else may have to be said of an object. */
  void affected(ObjectKey key);

  /** An incident began, went on or ended. */
  void incident(Incident incident);
}
