// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.FailingBalancer;
import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PriorityBalancer;
import dev.holdfast.grpc.balance.policy.PriorityConfig;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import io.grpc.EquivalentAddressGroup;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tree of balancers that a cluster wants. Two that are equal are the same tree.
 *
 * @param priorities null if all endpoints are draining
 */
record LeafPlan(
    @Nullable PriorityConfig priorities, SessionHosts hosts, @Nullable OutlierDetection outliers) {

  /** What is at the top of the tree. */
  Policy policy() {
    SessionBalancer.Config sessions = new SessionBalancer.Config(hosts, balancing());
    return outliers == null
        ? new Policy(SessionBalancer.FACTORY, sessions)
        : new Policy(OutlierBalancer.FACTORY, new OutlierBalancer.Config(outliers, sessions));
  }

  /** What balances calls that are not part of a session. */
  private Policy balancing() {
    return priorities == null
        ? FailingBalancer.with(
            Status.UNAVAILABLE.withDescription(
                "all endpoints are draining (expected: others, too)"))
        : new Policy(PriorityBalancer.FACTORY, priorities);
  }

  /** All endpoints, for those who want to know them before any is used. */
  List<EquivalentAddressGroup> addresses() {
    List<EquivalentAddressGroup> addresses = new ArrayList<>();
    if (priorities != null) {
      priorities.children().forEach(child -> addresses.addAll(child.addresses()));
    }
    return addresses;
  }
}
