// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import java.util.List;

/**
 * How an endpoint is chosen for the requests of a route.
 *
 * @param hashes what decides about it, with the strategy RequestHash
 */
public record LoadBalancerPolicy(LoadBalancing strategy, List<RequestHash> hashes) {
  private static final LoadBalancerPolicy NONE =
      new LoadBalancerPolicy(LoadBalancing.ROUND_ROBIN, List.of());

  /** The field {@code loadBalancerPolicy} of a route. */
  static LoadBalancerPolicy of(Fields parent) {
    LoadBalancerPolicy policy = parent.group("loadBalancerPolicy", LoadBalancerPolicy::decode);
    return policy == null ? NONE : policy;
  }

  private static LoadBalancerPolicy decode(Fields fields) {
    LoadBalancerPolicy policy =
        new LoadBalancerPolicy(
            fields.enumValue("strategy", LoadBalancing.ROUND_ROBIN),
            fields.groups("requestHashPolicies", RequestHash::decode));
    boolean hashing = policy.strategy() == LoadBalancing.REQUEST_HASH;
    if (hashing && policy.hashes().isEmpty()) {
      fields.missing("requestHashPolicies", "none (expected: at least one, for RequestHash)");
    } else if (!hashing && !policy.hashes().isEmpty()) {
      fields.invalid(
          "requestHashPolicies", "without effect (expected: strategy RequestHash as well)");
    }
    return policy;
  }
}
