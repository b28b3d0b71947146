// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.proxies.Proxies;
import dev.holdfast.benchmarks.proxies.Subscription;
import dev.holdfast.benchmarks.servers.Clusters;
import dev.holdfast.benchmarks.servers.ServerProcess;
import dev.holdfast.benchmarks.servers.Side;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One proxy that accepts everything but one cluster, which then comes.
 *
 * @param refused responses that held the cluster
 * @param all responses since the cluster is there
 */
record RejectedCluster(long refused, long all) {
  private static final int CLUSTERS = 10;

  static RejectedCluster measure(Side side, Protocol protocol, ServingOptions options) {
    Duration time = options.refusing();
    AtomicLong refused = new AtomicLong();
    try (ServerProcess server = ServerProcess.start(side, CLUSTERS, options.jvm());
        Proxies proxies =
            new Proxies(
                server.port(),
                protocol,
                Subscription.CLUSTERS,
                received -> {
                  if (!received.body().contains(Clusters.BAD)) {
                    return null;
                  }
                  refused.incrementAndGet();
                  return "Error adding/updating cluster(s) " + Clusters.first() + ": not that one";
                })) {
      proxies.connect(1);
      long before = proxies.responses();
      server.spoil();
      long end = System.nanoTime() + time.toNanos();
      for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return new RejectedCluster(refused.get(), proxies.responses() - before);
    }
  }
}
