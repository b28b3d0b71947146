// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses indexes in proportion to weights, each of them at regular intervals, and without a lock.
 *
 * <p>Numbers are drawn from a counter that all schedulers of a balancer share. A number stands for
 * an index and a round; in {@link #FULL} rounds an index is chosen as often as its weight says, at
 * the rounds where the multiples of its weight pass a multiple of {@link #FULL}. The heaviest is
 * chosen in each round. Numbers that choose nothing are skipped.
 *
 * <p>As in gRPC, a weight counts for at most ten times the mean, which limits how many numbers are
 * skipped, and for at least a tenth of it; an index without a weight gets the mean.
 */
final class StrideScheduler {
  private static final int FULL = 0xFFFF;
  private static final double MAX_RATIO = 10;
  private static final double MIN_RATIO = 0.1;

  private final int[] weights;
  private final AtomicInteger sequence;
  private final boolean weighted;

  /**
   * @param weights at least one; those that are not positive are unknown
   */
  StrideScheduler(double[] weights, AtomicInteger sequence) {
    this.sequence = sequence;
    double sum = 0;
    double largest = 0;
    int known = 0;
    for (double weight : weights) {
      if (weight > 0) {
        sum += weight;
        largest = Math.max(largest, weight);
        known++;
      }
    }
    weighted = known >= 2;
    double mean = known == 0 ? 1 : sum / known;
    largest = known == 0 ? 1 : Math.min(largest, mean * MAX_RATIO);
    double scale = FULL / largest;
    int least = (int) Math.ceil(scale * mean * MIN_RATIO);
    this.weights = new int[weights.length];
    for (int i = 0; i < weights.length; i++) {
      double weight = weights[i] > 0 ? Math.min(weights[i], largest) : mean;
      this.weights[i] = Math.min(FULL, Math.max(least, (int) Math.round(scale * weight)));
    }
  }

  /** Whether there is more than one weight to go by. Without, all are chosen in turn. */
  boolean isWeighted() {
    return weighted;
  }

  int next() {
    while (true) {
      long number = Integer.toUnsignedLong(sequence.getAndIncrement());
      int index = (int) (number % weights.length);
      long round = number / weights.length;
      int weight = weights[index];
      // The offset keeps indexes of one weight from being skipped all in the same rounds.
      long offset = (long) FULL / 2 * index;
      if ((weight * round + offset) % FULL >= FULL - weight) {
        return index;
      }
    }
  }
}
