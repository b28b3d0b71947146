// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Compares some endpoints, drawn with replacement, and asks the one with the fewest calls. */
final class LeastRequestPicker extends SubchannelPicker {
  private final List<Endpoint> endpoints;
  private final int choices;
  private final Supplier<RandomGenerator> random;

  /**
   * @param counted adds the tracer that counts them
   */
  record Endpoint(SubchannelPicker picker, Outstanding outstanding, TracedPicks counted) {}

  /** At least one endpoint. */
  LeastRequestPicker(List<Endpoint> endpoints, int choices, Supplier<RandomGenerator> random) {
    this.endpoints = List.copyOf(endpoints);
    this.choices = choices;
    this.random = random;
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    Endpoint chosen = leastBusy(random.get());
    return chosen.counted.of(chosen.picker.pickSubchannel(args));
  }

  private Endpoint leastBusy(RandomGenerator chance) {
    Endpoint best = draw(chance);
    long fewest = best.outstanding.count();
    for (int i = 1; i < choices; i++) {
      Endpoint other = draw(chance);
      long count = other.outstanding.count();
      if (count < fewest) {
        best = other;
        fewest = count;
      }
    }
    return best;
  }

  private Endpoint draw(RandomGenerator chance) {
    return endpoints.get(chance.nextInt(endpoints.size()));
  }
}
