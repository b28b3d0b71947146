// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.FailingBalancer;
import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PolicyFactory;
import dev.holdfast.grpc.balance.policy.PriorityBalancer;
import dev.holdfast.grpc.balance.policy.PriorityConfig;
import dev.holdfast.grpc.config.ClusterConfig;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What balances over a cluster: its own tree; for an aggregate cluster the trees of its leaves,
 * each with the leaf's own policy (gRFC A75), as priorities; an error if there is nothing to
 * balance.
 */
public final class ClusterPolicies {
  private final PolicyFactory leaf;

  public ClusterPolicies(Environment environment) {
    leaf = new PolicyFactory("cluster", helper -> new LeafBalancer(helper, environment));
  }

  /** The policy for the cluster of that name, which is one of the given ones. */
  public Policy of(String name, Map<String, StatusOr<ClusterConfig>> clusters) {
    StatusOr<ClusterConfig> config = clusters.get(name);
    if (config != null
        && config.hasValue()
        && config.getValue().members() instanceof ClusterConfig.Aggregate aggregate) {
      return aggregate(config.getValue(), aggregate, clusters);
    }
    return single(name, config);
  }

  private Policy aggregate(
      ClusterConfig config,
      ClusterConfig.Aggregate aggregate,
      Map<String, StatusOr<ClusterConfig>> clusters) {
    List<PriorityConfig.Child> leaves = new ArrayList<>();
    for (String name : aggregate.leaves()) {
      leaves.add(new PriorityConfig.Child(name, single(name, clusters.get(name)), List.of()));
    }
    return leaves.isEmpty()
        ? failing(
            new Note(config.note())
                .on(
                    Status.UNAVAILABLE.withDescription(
                        "cluster " + config.cluster().name() + ": an aggregate of no clusters")))
        : new Policy(PriorityBalancer.FACTORY, new PriorityConfig(leaves));
  }

  private Policy single(String name, @Nullable StatusOr<ClusterConfig> config) {
    if (config == null) {
      return failing(Status.UNAVAILABLE.withDescription("cluster " + name + ": not known"));
    }
    if (!config.hasValue()) {
      return failing(StatusText.unavailable(config.getStatus()));
    }
    return config.getValue().members() instanceof ClusterConfig.Endpoints
        ? new Policy(leaf, config.getValue())
        : failing(
            Status.UNAVAILABLE.withDescription(
                "cluster " + name + ": an aggregate (expected: one with endpoints)"));
  }

  private static Policy failing(Status error) {
    return FailingBalancer.with(error);
  }

  /**
   * Whether {@link #of} has nothing new to say about a cluster: it and all that it is made of are
   * the same objects.
   */
  public static boolean unchanged(
      String name,
      Map<String, StatusOr<ClusterConfig>> before,
      Map<String, StatusOr<ClusterConfig>> after) {
    StatusOr<ClusterConfig> config = after.get(name);
    if (!same(before.get(name), config)) {
      return false;
    }
    if (config != null
        && config.hasValue()
        && config.getValue().members() instanceof ClusterConfig.Aggregate aggregate) {
      for (String leaf : aggregate.leaves()) {
        if (!same(before.get(leaf), after.get(leaf))) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean same(
      @Nullable StatusOr<ClusterConfig> before, @Nullable StatusOr<ClusterConfig> after) {
    if (before == null || after == null) {
      return before == null && after == null;
    }
    return LeafBalancer.sameResult(before, after);
  }
}
