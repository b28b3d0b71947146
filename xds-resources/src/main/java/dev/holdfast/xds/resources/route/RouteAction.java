// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happens to a call that took a route. */
public sealed interface RouteAction {

  /** Handles both kinds. */
  <R extends @Nullable Object> R fold(
      Function<? super Forward, ? extends R> forward,
      Function<? super NonForwarding, ? extends R> nonForwarding);

  /**
   * The call goes to a cluster: the only useful action for a client.
   *
   * @param clusters one or more, by weight; at least one weight is not zero
   * @param hashPolicies in the order in which they are tried
   * @param maxStreamDuration the limit on the call's duration that the route sets (gRFC A31); zero
   *     for no limit, null if the route leaves it to the listener
   * @param retryPolicy the policy in force, the route's or else its virtual host's (gRFC A44); null
   *     for no retries
   * @param autoHostRewrite whether the authority becomes the hostname of the endpoint (gRFC A81)
   */
  record Forward(
      List<WeightedCluster> clusters,
      List<HashPolicy> hashPolicies,
      @Nullable Duration maxStreamDuration,
      @Nullable RetryPolicy retryPolicy,
      boolean autoHostRewrite)
      implements RouteAction {
    public Forward {
      clusters = List.copyOf(clusters);
      hashPolicies = List.copyOf(hashPolicies);
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Forward, ? extends R> forward,
        Function<? super NonForwarding, ? extends R> nonForwarding) {
      return forward.apply(this);
    }
  }

  /** The call is served here: the only useful action for a server (gRFC A36). */
  record NonForwarding() implements RouteAction {
    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Forward, ? extends R> forward,
        Function<? super NonForwarding, ? extends R> nonForwarding) {
      return nonForwarding.apply(this);
    }
  }
}
