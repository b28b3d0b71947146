// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** Chance, for calls that are routed on any thread. */
public interface ThreadSafeRandom {

  /** Any number. */
  long nextLong();

  /** A number from 0, inclusive, to a bound, exclusive. */
  long nextLong(long bound);

  /** What production uses. */
  static ThreadSafeRandom system() {
    return Jdk.INSTANCE;
  }

  /** The same numbers each time, for tests: of calls that are made one after the other. */
  static ThreadSafeRandom seeded(long seed) {
    return new Seeded(seed);
  }

  /** See {@link #seeded}. */
  final class Seeded implements ThreadSafeRandom {
    private final SplittableRandom random;

    private Seeded(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public synchronized long nextLong() {
      return random.nextLong();
    }

    @Override
    public synchronized long nextLong(long bound) {
      return random.nextLong(bound);
    }
  }

  /** See {@link #system}. */
  enum Jdk implements ThreadSafeRandom {
    INSTANCE;

    @Override
    public long nextLong() {
      return ThreadLocalRandom.current().nextLong();
    }

    @Override
    public long nextLong(long bound) {
      return ThreadLocalRandom.current().nextLong(bound);
    }
  }
}
