// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.Session;
import dev.holdfast.grpc.filter.FilterChain;
import dev.holdfast.grpc.retry.RouteRetries;
import io.grpc.Metadata;
import io.grpc.StatusOr;
import org.jspecify.annotations.Nullable;

/** Where the calls of one route go, and on what terms. */
final class Forwarding {
  private final Choice[] choices;
  private final long[] upTo;
  private final StatusOr<Object> terms;
  private final @Nullable RouteRetries retries;
  private final CallHash hash;
  private final boolean autoHostRewrite;

  /**
   * A cluster of the route.
   *
   * @param filters what its calls pass; null for none
   */
  record Choice(HeldCluster cluster, @Nullable FilterChain filters) {}

  /**
   * @param choices the clusters
   * @param upTo the sum of the weights of the clusters up to each
   * @param terms timeout and retries, parsed for the channel
   * @param retries null if those of the channel will do
   */
  Forwarding(
      Choice[] choices,
      long[] upTo,
      StatusOr<Object> terms,
      @Nullable RouteRetries retries,
      CallHash hash,
      boolean autoHostRewrite) {
    this.choices = choices;
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
  Choice choose(ThreadSafeRandom random) {
    if (choices.length == 1) {
      return choices[0];
    }
    long drawn = random.nextLong(upTo[upTo.length - 1]);
    int i = 0;
    while (upTo[i] <= drawn) {
      i++;
    }
    return choices[i];
  }

  /** The cluster of that name if it is one of the route (gRFC A60), else the given one. */
  HeldCluster named(String name, HeldCluster otherwise) {
    for (Choice choice : choices) {
      if (choice.cluster.name().equals(name)) {
        return choice.cluster;
      }
    }
    return otherwise;
  }

  RoutedCall routed(HeldCluster cluster, Metadata headers, @Nullable Session session) {
    return new RoutedCall(cluster.name(), hash.of(headers), autoHostRewrite, session);
  }
}
