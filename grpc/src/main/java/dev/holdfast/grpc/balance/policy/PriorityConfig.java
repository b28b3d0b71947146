// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.EquivalentAddressGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The configuration of a {@link PriorityBalancer}.
 *
 * @param children the preferred ones first; at least one, each name once
 */
public record PriorityConfig(List<Child> children) {
  public PriorityConfig {
    children = List.copyOf(children);
    Set<String> names = new HashSet<>();
    for (Child child : children) {
      if (!names.add(child.name())) {
        throw new IllegalArgumentException(
            "priority: " + child.name() + " (expected: each name once)");
      }
    }
    if (children.isEmpty()) {
      throw new IllegalArgumentException("children: none (expected: at least one)");
    }
  }

  /**
   * One priority.
   *
   * @param name by which it is known again when the order changes
   */
  public record Child(String name, Policy policy, List<EquivalentAddressGroup> addresses) {
    public Child {
      addresses = List.copyOf(addresses);
    }
  }
}
