// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Asks one of several pickers, by weight. */
final class WeightedPicker extends SubchannelPicker {
  /** The sum of the weights up to and with that of the picker at the same index. */
  private final long[] sums;

  private final SubchannelPicker[] pickers;
  private final Supplier<RandomGenerator> random;

  record Choice(long weight, SubchannelPicker picker) {}

  private WeightedPicker(List<Choice> choices, Supplier<RandomGenerator> random) {
    this.random = random;
    sums = new long[choices.size()];
    pickers = new SubchannelPicker[choices.size()];
    long sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += choices.get(i).weight();
      sums[i] = sum;
      pickers[i] = choices.get(i).picker();
    }
  }

  /** A picker over the choices: at least one, each of positive weight. */
  static SubchannelPicker of(List<Choice> choices, Supplier<RandomGenerator> random) {
    return choices.size() == 1 ? choices.get(0).picker() : new WeightedPicker(choices, random);
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    long drawn = random.get().nextLong(sums[sums.length - 1]);
    // The first sum that is larger: all of them differ, and all values drawn are whole.
    int found = Arrays.binarySearch(sums, drawn + 1);
    return pickers[found < 0 ? -found - 1 : found].pickSubchannel(args);
  }
}
