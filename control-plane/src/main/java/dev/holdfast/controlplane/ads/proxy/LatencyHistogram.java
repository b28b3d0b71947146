// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import dev.holdfast.controlplane.report.Distribution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Counts durations in buckets. */
final class LatencyHistogram {
  private final List<Duration> bounds;
  private final long[] counts;
  private long sum;
  private long total;

  private LatencyHistogram(List<Duration> bounds) {
    this.bounds = List.copyOf(bounds);
    this.counts = new long[bounds.size()];
  }

  /** Buckets from the fastest answer of a proxy to the answer timeout. */
  static LatencyHistogram ofAnswerTimes() {
    List<Duration> bounds = new ArrayList<>();
    for (long millis : new long[] {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000}) {
      bounds.add(Duration.ofMillis(millis));
    }
    bounds.add(Duration.ofSeconds(10));
    bounds.add(Duration.ofSeconds(20));
    return new LatencyHistogram(bounds);
  }

  void add(long nanos) {
    total++;
    sum += nanos;
    for (int i = 0; i < counts.length; i++) {
      if (nanos <= bounds.get(i).toNanos()) {
        counts[i]++;
        return;
      }
    }
  }

  Distribution distribution() {
    List<Distribution.Bucket> buckets = new ArrayList<>();
    long sofar = 0;
    for (int i = 0; i < counts.length; i++) {
      sofar += counts[i];
      buckets.add(new Distribution.Bucket(bounds.get(i), sofar));
    }
    return new Distribution(buckets, total, Duration.ofNanos(sum));
  }
}
