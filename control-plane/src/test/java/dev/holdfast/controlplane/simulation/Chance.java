// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** All that is left to chance in a run: the same seed, the same choices. */
final class Chance {
  private final SplittableRandom random;

  Chance(long seed) {
    random = new SplittableRandom(seed);
  }

  /** From 0 to below a bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** From one number to another, both included. */
  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  boolean percent(int of100) {
    return random.nextInt(100) < of100;
  }

  <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
