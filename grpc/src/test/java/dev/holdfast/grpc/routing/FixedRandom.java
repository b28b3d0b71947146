// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import java.util.ArrayDeque;
import java.util.Deque;

/** Chance that was decided beforehand. */
final class FixedRandom implements ThreadSafeRandom {
  private final Deque<Long> numbers = new ArrayDeque<>();

  FixedRandom then(long... next) {
    for (long number : next) {
      numbers.add(number);
    }
    return this;
  }

  @Override
  public long nextLong() {
    return numbers.isEmpty() ? 0 : numbers.remove();
  }

  @Override
  public long nextLong(long bound) {
    long number = nextLong();
    if (number < 0 || number >= bound) {
      throw new AssertionError("number: " + number + " (expected: less than " + bound + ")");
    }
    return number;
  }
}
