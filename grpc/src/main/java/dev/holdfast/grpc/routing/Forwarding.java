// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.RoutedCall;
import io.grpc.Metadata;
import io.grpc.StatusOr;

/** Where the calls of one route go, and on what terms. */
final class Forwarding {
  private final HeldCluster[] clusters;
  private final long[] upTo;
  private final StatusOr<Object> terms;
  private final CallHash hash;
  private final boolean autoHostRewrite;

  /**
   * @param upTo the sum of the weights of the clusters up to each
   * @param terms timeout and retries, parsed for the channel
   */
  Forwarding(
      HeldCluster[] clusters,
      long[] upTo,
      StatusOr<Object> terms,
      CallHash hash,
      boolean autoHostRewrite) {
    this.clusters = clusters;
    this.upTo = upTo;
    this.terms = terms;
    this.hash = hash;
    this.autoHostRewrite = autoHostRewrite;
  }

  StatusOr<Object> terms() {
    return terms;
  }

  /** A cluster for one call, by weight. */
  HeldCluster choose(ThreadSafeRandom random) {
    if (clusters.length == 1) {
      return clusters[0];
    }
    long drawn = random.nextLong(upTo[upTo.length - 1]);
    int i = 0;
    while (upTo[i] <= drawn) {
      i++;
    }
    return clusters[i];
  }

  RoutedCall routed(HeldCluster cluster, Metadata headers) {
    return new RoutedCall(cluster.name(), hash.of(headers), autoHostRewrite);
  }
}
