// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a turn in which a rollout decides again and again without getting on. That would be a
 * mistake of our own, and without an end it would take the loop with it. Loop only.
 */
final class DecisionLimit {
  /** In one turn each object may be held, tried, accepted and released. */
  private static final int FOR_EACH_OBJECT = 4;

  private static final int MOST_FOR_NO_OBJECT = 200;

  /** A conviction holds its objects, so nothing is left to convict the same ones of. */
  private static final int MOST_OF_ONE_CONVICTION = 3;

  private final IntSupplier objects;
  private final Map<Set<ObjectKey>, Integer> convictions = new HashMap<>();
  private @Nullable Integer most;
  private int left;

  /**
   * @param objects the number of objects
   */
  DecisionLimit(IntSupplier objects) {
    this.objects = objects;
  }

  /** Allows another number of decisions than usual; null for the usual one. */
  void allow(@Nullable Integer decisions) {
    most = decisions;
  }

  void begin() {
    convictions.clear();
    left = most == null ? MOST_FOR_NO_OBJECT + FOR_EACH_OBJECT * objects.getAsInt() : (int) most;
  }

  /** A decision is about to be carried out. */
  void count(RolloutDecision next) {
    if (left == 0) {
      throw new IllegalStateException("too many decisions in one turn, the last is " + next.kind());
    }
    left--;
    if (next instanceof RolloutDecision.Convict convict) {
      Set<ObjectKey> objectKeys = Set.copyOf(convict.conviction().bundle().objects().keySet());
      if (convictions.merge(objectKeys, 1, Integer::sum) > MOST_OF_ONE_CONVICTION) {
        throw new IllegalStateException("convicts the same objects again and again");
      }
    }
  }
}
