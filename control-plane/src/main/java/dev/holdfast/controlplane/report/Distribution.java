// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import java.time.Duration;
import java.util.List;

/**
 * A histogram of durations.
 *
 * @param buckets in ascending order; each also counts the durations of the buckets before it
 * @param count the number of durations, including those longer than the last bucket
 * @param sum of all durations
 */
public record Distribution(List<Bucket> buckets, long count, Duration sum) {
  public Distribution {
    buckets = List.copyOf(buckets);
  }

  /** The number of durations up to an upper bound. */
  public record Bucket(Duration most, long count) {}
}
