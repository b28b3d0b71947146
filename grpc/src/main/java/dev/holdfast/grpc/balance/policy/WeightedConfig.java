// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.EquivalentAddressGroup;
import java.util.List;

/**
 * The configuration of a {@link WeightedBalancer}.
 *
 * @param targets each name once
 */
public record WeightedConfig(List<Target> targets) {
  public WeightedConfig {
    targets = List.copyOf(targets);
  }

  /**
   * One child.
   *
   * @param weight its share of the calls, over the sum of those that are ready; at least 1
   */
  public record Target(
      String name, long weight, Policy policy, List<EquivalentAddressGroup> addresses) {
    public Target {
      addresses = List.copyOf(addresses);
    }
  }
}
