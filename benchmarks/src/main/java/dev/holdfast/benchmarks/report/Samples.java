// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

import java.util.Arrays;

/** What a measurement gave in each round. */
public final class Samples {
  private final double[] sorted;

  public Samples(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("values: none (expected: at least one)");
    }
    sorted = values.clone();
    Arrays.sort(sorted);
  }

  public int count() {
    return sorted.length;
  }

  public double median() {
    return quantile(0.5);
  }

  /** The value below which this part of the samples lies, interpolated. */
  public double quantile(double part) {
    double position = part * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
