// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.random.RandomGenerator;

/**
 * The outside world of an engine: threads, time and chance. Everything an engine does follows from
 * its inputs and this record, so a test that supplies its own is repeatable.
 *
 * @param executor runs the engine's loop; any thread or pool, the loop serialises itself
 * @param time clock and timers
 * @param random jitter and other choices; only ever used from the loop
 */
public record Env(Executor executor, TimeSource time, RandomGenerator random) {

  /** The common pool, the machine's time and a seed of the JDK's choosing. */
  public static Env system() {
    return new Env(ForkJoinPool.commonPool(), SystemTime.instance(), new SplittableRandom());
  }
}
