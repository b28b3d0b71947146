// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ObjectKey;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * Objects whose served generation is not durable yet. Their next generation is not tried before:
 * after a crash there would be nothing to go back to.
 */
final class PendingWrites {
  private final RolloutObserver observer;
  private final Set<ObjectKey> keys = new HashSet<>();

  PendingWrites(RolloutObserver observer) {
    this.observer = observer;
  }

  /** The baseline took some objects; runs a task when that is durable. */
  void add(Set<ObjectKey> served, Runnable then) {
    keys.addAll(served);
    observer.whenDurable(
        () -> {
          keys.removeAll(served);
          then.run();
        });
  }

  boolean concern(Set<ObjectKey> some) {
    return !Collections.disjoint(some, keys);
  }
}
