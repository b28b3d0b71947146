// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.retry.RouteRetries;
import io.grpc.Metadata;
import io.grpc.StatusOr;
import org.jspecify.annotations.Nullable;

/** Where the calls of one route go, and on what terms. */
final class Forwarding {
  private final HeldCluster[] clusters;
  private final long[] upTo;
  private final StatusOr<Object> terms;
  private final @Nullable RouteRetries retries;
  private final CallHash hash;
  private final boolean autoHostRewrite;

  /**
   * @param upTo the sum of the weights of the clusters up to each
   * @param terms timeout and retries, parsed for the channel
   * @param retries null if those of the channel will do
   */
  Forwarding(
      HeldCluster[] clusters,
      long[] upTo,
      StatusOr<Object> terms,
      @Nullable RouteRetries retries,
      CallHash hash,
      boolean autoHostRewrite) {
    this.clusters = clusters;
    this.upTo = upTo;
    this.terms = terms;
    this.retries = retries;
    this.hash = hash;
    this.autoHostRewrite = autoHostRewrite;
  }

  StatusOr<Object> terms() {
    return terms;
  }

  @Nullable RouteRetries retries() {
    return retries;
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
