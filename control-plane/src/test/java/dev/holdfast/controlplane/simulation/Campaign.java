// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Many runs, as many at a time as there are cores. Each has a thread to itself. */
final class Campaign {
  private final Setting setting;
  private final Set<Long> left;
  private final long end;
  private final AtomicLong next;
  private final SortedMap<Long, Throwable> failures = new TreeMap<>();

  private Campaign(long first, int runs, Setting setting, Set<Long> left) {
    this.left = left;
    this.setting = setting;
    this.next = new AtomicLong(first);
    this.end = first + runs;
  }

  /** Runs some seeds, but for those that are left out; the result is what went wrong, by seed. */
  static SortedMap<Long, Throwable> run(
      long first, int runs, Setting setting, int threads, Set<Long> left)
      throws InterruptedException {
    Campaign campaign = new Campaign(first, runs, setting, left);
    Thread[] workers = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      workers[i] = new Thread(campaign::work, "simulation-" + i);
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    return campaign.failures;
  }

  private void work() {
    for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
      if (left.contains(seed)) {
        continue;
      }
      try {
        new Simulation(seed, setting).run();
      } catch (Throwable e) {
        failed(seed, e);
      }
    }
  }

  private synchronized void failed(long seed, Throwable cause) {
    failures.put(seed, cause);
  }
}
