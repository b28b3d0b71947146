// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.LoadBalancer;
import java.util.function.Function;

/** Makes the balancers of one policy. Two are equal if they are the same object. */
public final class PolicyFactory extends LoadBalancer.Factory {
  private final String name;
  private final Function<LoadBalancer.Helper, LoadBalancer> create;

  public PolicyFactory(String name, Function<LoadBalancer.Helper, LoadBalancer> create) {
    this.name = name;
    this.create = create;
  }

  @Override
  public LoadBalancer newLoadBalancer(LoadBalancer.Helper helper) {
    return create.apply(helper);
  }

  @Override
  public String toString() {
    return name;
  }
}
