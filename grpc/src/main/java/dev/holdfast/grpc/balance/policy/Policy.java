// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancer.ResolvedAddresses;
import io.grpc.util.GracefulSwitchLoadBalancer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who balances, and how. Two policies of equal factories are one policy with another configuration;
 * anything else is a switch, which waits until the new one has connected.
 */
public record Policy(LoadBalancer.Factory factory, @Nullable Object config) {

  /** The form in which a {@link GracefulSwitchLoadBalancer} takes it. */
  public Object forSwitch() {
    return GracefulSwitchLoadBalancer.createLoadBalancingPolicyConfig(factory, config);
  }

  /** What a {@link GracefulSwitchLoadBalancer} is told to run this policy over the addresses. */
  public ResolvedAddresses over(List<EquivalentAddressGroup> addresses) {
    return ResolvedAddresses.newBuilder()
        .setAddresses(addresses)
        .setAttributes(Attributes.EMPTY)
        .setLoadBalancingPolicyConfig(forSwitch())
        .build();
  }
}
