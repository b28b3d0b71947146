// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.Outstanding;
import dev.holdfast.xds.resources.endpoint.DropOverload;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What applies to every call of a cluster, whatever endpoint it gets.
 *
 * @param loads null if no server wants to know the loads
 */
record LeafSettings(
    String cluster,
    Note note,
    List<DropOverload> drops,
    long maxRequests,
    Outstanding calls,
    DropMetric metric,
    LeafLoads.@Nullable Counts loads) {

  private static final int MILLION = 1_000_000;

  /** The heading under which this call is dropped; null if it is not. */
  @Nullable String drawDrop(Supplier<RandomGenerator> random) {
    if (drops.isEmpty()) {
      return null;
    }
    RandomGenerator chance = random.get();
    for (DropOverload drop : drops) {
      if (chance.nextInt(MILLION) < drop.perMillion()) {
        return drop.category();
      }
    }
    return null;
  }
}
