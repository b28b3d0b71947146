// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.xds.resources.filter.FilterOverride;
import java.util.Map;

/**
 * A cluster and its share of the calls: the weight over the sum of all weights.
 *
 * @param filterOverrides what filters do for the calls that it gets, by their names (gRFC A39)
 */
public record WeightedCluster(
    String name, long weight, Map<String, FilterOverride> filterOverrides) {
  public WeightedCluster {
    filterOverrides = Map.copyOf(filterOverrides);
  }

  /** A cluster without overrides. */
  public WeightedCluster(String name, long weight) {
    this(name, weight, Map.of());
  }
}
