// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ObjectKey;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** What is served of these, should the newest be refused, would not survive a crash yet. */
final class PendingWrites {
  private final RolloutObserver observer;
  private final Set<ObjectKey> keys = new HashSet<>();

  PendingWrites(RolloutObserver observer) {
    this.observer = observer;
  }

  /** Some objects are served from now on; does something when that is durable. */
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
