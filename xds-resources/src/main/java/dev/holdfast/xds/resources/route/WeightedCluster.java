// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

/** A cluster and its share of the calls: the weight over the sum of all weights. */
public record WeightedCluster(String name, long weight) {}
