// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerProvider;
import io.grpc.NameResolver.ConfigOrError;
import java.util.Map;

/** Finds {@link XdsRootBalancer}; not for use by anything but the service loader. */
public final class XdsRootBalancerProvider extends LoadBalancerProvider {
  static final String POLICY = "holdfast_xds";

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public int getPriority() {
    return 5;
  }

  @Override
  public String getPolicyName() {
    return POLICY;
  }

  @Override
  public ConfigOrError parseLoadBalancingPolicyConfig(Map<String, ?> raw) {
    return ConfigOrError.fromConfig("no configuration"); // everything is in the attributes
  }

  @Override
  public LoadBalancer newLoadBalancer(LoadBalancer.Helper helper) {
    return new XdsRootBalancer(helper);
  }
}
