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
  private final Runnable written;
  private final Set<ObjectKey> keys = new HashSet<>();

  /**
   * @param written runs when some of them have become durable
   */
  PendingWrites(RolloutObserver observer, Runnable written) {
    this.observer = observer;
    this.written = written;
  }

  /** The baseline took some objects. */
  void add(Set<ObjectKey> served) {
    keys.addAll(served);
    observer.whenDurable(
        () -> {
          keys.removeAll(served);
          written.run();
        });
  }

  boolean concern(Set<ObjectKey> some) {
    return !Collections.disjoint(some, keys);
  }
}
