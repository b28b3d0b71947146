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

  /**
   * The field {@code loadBalancerPolicy} of connections, which have no requests that could decide
   * about their endpoint.
   */
  public static LoadBalancing ofConnections(Fields parent) {
    LoadBalancing strategy = LoadBalancerPolicy.of(parent).strategy();
    if (strategy == COOKIE || strategy == REQUEST_HASH) {
      parent.invalid(
          "loadBalancerPolicy", strategy.word() + " (expected: a strategy that needs no requests)");
    }
    return strategy;
  }
}
