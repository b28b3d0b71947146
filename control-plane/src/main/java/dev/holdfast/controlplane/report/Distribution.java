// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import java.time.Duration;
import java.util.List;

/**
 * How long some things took.
 *
 * @param buckets from short to long; each counts those of the ones before it, too
 * @param count how many there were, also of those longer than any bucket
 * @param sum of all together
 */
public record Distribution(List<Bucket> buckets, long count, Duration sum) {
  public Distribution {
    buckets = List.copyOf(buckets);
  }

  /** How many took no longer than that. */
  public record Bucket(Duration most, long count) {}
}
