// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PriorityBalancer;
import dev.holdfast.grpc.balance.policy.PriorityConfig;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import io.grpc.EquivalentAddressGroup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tree of balancers that a cluster wants. Two that are equal are the same tree. */
record LeafPlan(PriorityConfig priorities, @Nullable OutlierDetection outliers) {

  /** What is at the top of the tree. */
  Policy policy() {
    return outliers == null
        ? new Policy(PriorityBalancer.FACTORY, priorities)
        : new Policy(OutlierBalancer.FACTORY, new OutlierBalancer.Config(outliers, priorities));
  }

  /** All endpoints, for those who want to know them before any is used. */
  List<EquivalentAddressGroup> addresses() {
    List<EquivalentAddressGroup> addresses = new ArrayList<>();
    priorities.children().forEach(child -> addresses.addAll(child.addresses()));
    return addresses;
  }
}
