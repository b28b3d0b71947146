// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PolicyFactory;
import dev.holdfast.grpc.balance.policy.PriorityConfig;
import dev.holdfast.grpc.balance.policy.WeightedBalancer;
import dev.holdfast.grpc.balance.policy.WeightedConfig;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import io.grpc.EquivalentAddressGroup;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns a cluster and its endpoints into a tree of balancers. Remembers how priorities were called
 * and which policy was made of which configuration, so that what stays the same is seen to.
 */
final class LeafPlanner {
  private final EndpointPolicies policies;
  private final PolicyFactory weighted;
  private final PriorityNames names = new PriorityNames();

  private String cluster = "";
  private @Nullable LbPolicy wanted;
  private StatusOr<Policy> endpointPolicy =
      StatusOr.fromStatus(Status.UNAVAILABLE.withDescription("no policy so far"));

  LeafPlanner(Environment environment) {
    policies = new EndpointPolicies(environment, () -> cluster);
    weighted = WeightedBalancer.factory(environment.random());
  }

  /** The tree, or why there can be none; the text is about this cluster and does not name it. */
  StatusOr<LeafPlan> plan(Cluster cluster, ClusterLoadAssignment assignment) {
    this.cluster = cluster.name();
    StatusOr<Policy> policy = endpointPolicy(cluster.lbPolicy());
    if (!policy.hasValue()) {
      return StatusOr.fromStatus(policy.getStatus());
    }
    List<PriorityConfig.Child> children = new ArrayList<>();
    List<List<LocalityEndpoints>> priorities = byPriority(assignment);
    List<String> called = names.name(priorities);
    for (int i = 0; i < called.size(); i++) {
      List<LocalityEndpoints> usable = new ArrayList<>(priorities.get(i));
      usable.replaceAll(LocalityEndpoints::withoutDraining);
      usable.removeIf(locality -> locality.endpoints().isEmpty());
      if (!usable.isEmpty()) {
        children.add(child(called.get(i), usable, cluster, policy.getValue()));
      }
    }
    SessionHosts hosts = new SessionHosts(cluster.sessions(), assignment.localities());
    return children.isEmpty() && !hosts.hasDraining()
        ? StatusOr.fromStatus(Status.UNAVAILABLE.withDescription("no usable endpoints"))
        : StatusOr.fromValue(
            new LeafPlan(
                children.isEmpty() ? null : new PriorityConfig(children),
                hosts,
                outliers(cluster.outlierDetection())));
  }

  private PriorityConfig.Child child(
      String name, List<LocalityEndpoints> localities, Cluster cluster, Policy endpoint) {
    boolean byLocality = cluster.lbPolicy() instanceof LbPolicy.WrrLocality;
    List<EquivalentAddressGroup> addresses = new ArrayList<>();
    List<WeightedConfig.Target> targets = new ArrayList<>();
    for (EndpointAttributes.Group locality :
        byLocality
            ? EndpointAttributes.apart(localities)
            : EndpointAttributes.together(localities)) {
      addresses.addAll(locality.endpoints());
      targets.add(
          new WeightedConfig.Target(
              locality.name(), locality.weight(), endpoint, locality.endpoints()));
    }
    return new PriorityConfig.Child(
        name, byLocality ? new Policy(weighted, new WeightedConfig(targets)) : endpoint, addresses);
  }

  private StatusOr<Policy> endpointPolicy(LbPolicy policy) {
    if (!policy.equals(wanted)) {
      LbPolicy ofEndpoints =
          policy instanceof LbPolicy.WrrLocality localities ? localities.endpointPolicy() : policy;
      endpointPolicy = ofEndpoints.accept(policies);
      wanted = policy;
    }
    return endpointPolicy;
  }

  private static List<List<LocalityEndpoints>> byPriority(ClusterLoadAssignment assignment) {
    SortedMap<Integer, List<LocalityEndpoints>> priorities =
        new TreeMap<>(Integer::compareUnsigned);
    for (LocalityEndpoints locality : assignment.localities()) {
      priorities.computeIfAbsent(locality.priority(), p -> new ArrayList<>()).add(locality);
    }
    return List.copyOf(priorities.values());
  }

  /** Null also for one that would never eject anything. */
  private static @Nullable OutlierDetection outliers(@Nullable OutlierDetection detection) {
    return detection == null
            || (detection.successRate() == null && detection.failurePercentage() == null)
        ? null
        : detection;
  }
}
