// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Durations;
import io.envoyproxy.envoy.config.route.v3.RouteAction.MaxStreamDuration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the forwarding action of a route (gRFC A28, A31, A42, A44, A81). */
final class RouteActionDecoder {
  private final Decoding decoding;
  private final ClusterSpecifierPlugins plugins;
  private final @Nullable RetryPolicy hostRetryPolicy;
  private final boolean hostHedges;

  /**
   * @param hostRetryPolicy what applies to routes without a retry policy of their own
   * @param hostHedges what applies to routes without a hedge policy of their own
   */
  RouteActionDecoder(
      Decoding decoding,
      ClusterSpecifierPlugins plugins,
      @Nullable RetryPolicy hostRetryPolicy,
      boolean hostHedges) {
    this.decoding = decoding;
    this.plugins = plugins;
    this.hostRetryPolicy = hostRetryPolicy;
    this.hostHedges = hostHedges;
  }

  /**
   * The action; null after reporting a problem, and if the cluster is chosen in a way that this
   * client does not know, in which case the route is to be ignored. The rest of the action is
   * checked nevertheless, as other clients do.
   */
  @Nullable RouteAction decode(
      io.envoyproxy.envoy.config.route.v3.RouteAction proto, Problems problems) {
    int before = problems.count();
    List<WeightedCluster> clusters = clusters(proto, problems);
    java.time.Duration maxStreamDuration =
        proto.hasMaxStreamDuration()
            ? maxStreamDuration(proto.getMaxStreamDuration(), problems.at("max_stream_duration"))
            : null;
    RetryPolicy retryPolicy = retryPolicy(proto, problems);
    List<HashPolicy> hashPolicies = hashPolicies(proto, problems);
    if (clusters == null || problems.count() > before) {
      return null;
    }
    boolean autoHostRewrite =
        decoding.options().trustedServer() && proto.getAutoHostRewrite().getValue();
    return new RouteAction.Forward(
        clusters, hashPolicies, maxStreamDuration, retryPolicy, autoHostRewrite);
  }

  private @Nullable List<WeightedCluster> clusters(
      io.envoyproxy.envoy.config.route.v3.RouteAction proto, Problems problems) {
    switch (proto.getClusterSpecifierCase()) {
      case CLUSTER:
        if (proto.getCluster().isEmpty()) {
          problems.at("cluster").required("empty (expected: a cluster)");
        }
        return List.of(new WeightedCluster(proto.getCluster(), 1));
      case WEIGHTED_CLUSTERS:
        return WeightedClustersDecoder.decode(
            proto.getWeightedClusters(), decoding, problems.at("weighted_clusters"));
      case CLUSTER_SPECIFIER_PLUGIN:
        plugins.resolve(proto.getClusterSpecifierPlugin(), problems.at("cluster_specifier_plugin"));
        return null;
      default:
        // cluster_header and whatever is newer than this client: gRFC A28 has the route ignored.
        return null;
    }
  }

  /** A31: the limit on gRPC's own timeout, if there is one, goes before the general limit. */
  private static java.time.@Nullable Duration maxStreamDuration(
      MaxStreamDuration proto, Problems problems) {
    if (proto.hasGrpcTimeoutHeaderMax()) {
      return Durations.decode(
          proto.getGrpcTimeoutHeaderMax(), problems.at("grpc_timeout_header_max"));
    }
    return proto.hasMaxStreamDuration()
        ? Durations.decode(proto.getMaxStreamDuration(), problems.at("max_stream_duration"))
        : null;
  }

  /** A44: a policy of the route goes before that of its virtual host, even if nothing is left. */
  private @Nullable RetryPolicy retryPolicy(
      io.envoyproxy.envoy.config.route.v3.RouteAction proto, Problems problems) {
    RetryPolicy policy = hostRetryPolicy;
    if (decoding.options().retryEnabled() && proto.hasRetryPolicy()) {
      policy =
          RetryPolicyDecoder.decode(
              proto.getRetryPolicy(),
              decoding.options().perTryTimeout(),
              problems.at("retry_policy"));
    }
    return policy != null && hedges(proto) ? policy.withoutPerTryTimeout() : policy;
  }

  /**
   * Whether {@code per_try_timeout} says when to send the next attempt besides the one under way,
   * not when to give it up, and so may be very short. This client does not hedge; what is meant for
   * hedging must not cut attempts off.
   */
  private boolean hedges(io.envoyproxy.envoy.config.route.v3.RouteAction proto) {
    return proto.hasHedgePolicy() ? proto.getHedgePolicy().getHedgeOnPerTryTimeout() : hostHedges;
  }

  private List<HashPolicy> hashPolicies(
      io.envoyproxy.envoy.config.route.v3.RouteAction proto, Problems problems) {
    if (proto.getHashPolicyCount() == 0) {
      return List.of();
    }
    List<HashPolicy> policies = new ArrayList<>(proto.getHashPolicyCount());
    for (int i = 0; i < proto.getHashPolicyCount() && !Decoding.full(problems); i++) {
      HashPolicy policy =
          HashPolicyDecoder.decode(proto.getHashPolicy(i), decoding, problems.at("hash_policy", i));
      if (policy != null) {
        policies.add(policy);
      }
    }
    return policies;
  }
}
