// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;

/** How an endpoint is chosen. */
public enum LoadBalancing implements EnumWord {
  ROUND_ROBIN("RoundRobin"),
  WEIGHTED_LEAST_REQUEST("WeightedLeastRequest"),
  RANDOM("Random"),
  COOKIE("Cookie"),
  REQUEST_HASH("RequestHash");

  private final String word;

  LoadBalancing(String word) {
    this.word = word;
  }

  @Override
  public String word() {
    return word;
  }

  static LoadBalancing decode(Fields parent) {
    LoadBalancing policy = parent.group("loadBalancerPolicy", LoadBalancing::strategy);
    return policy == null ? ROUND_ROBIN : policy;
  }

  private static LoadBalancing strategy(Fields fields) {
    LoadBalancing strategy = fields.enumValue("strategy", ROUND_ROBIN);
    if (strategy == REQUEST_HASH) {
      fields.unsupported(
          "strategy", "RequestHash (expected: RoundRobin, WeightedLeastRequest, Random or Cookie)");
    }
    fields.reject("requestHashPolicies", "load balancing by hash");
    return strategy;
  }
}
