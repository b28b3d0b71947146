// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrideSchedulerTest {
  private final AtomicInteger sequence = new AtomicInteger();

  private int[] shares(int picks, double... weights) {
    StrideScheduler scheduler = new StrideScheduler(weights, sequence);
    int[] shares = new int[weights.length];
    for (int i = 0; i < picks; i++) {
      shares[scheduler.next()]++;
    }
    return shares;
  }

  @Test
  void l20CallsAreSharedByWeight() {
    int[] shares = shares(60_000, 1, 2, 3);
    assertThat(shares[0]).isCloseTo(10_000, Offset.offset(50));
    assertThat(shares[1]).isCloseTo(20_000, Offset.offset(50));
    assertThat(shares[2]).isCloseTo(30_000, Offset.offset(50));
  }

  @Test
  void heavyOnesAreNotChosenInBursts() {
    StrideScheduler scheduler = new StrideScheduler(new double[] {1, 4}, sequence);
    List<Integer> picks = new ArrayList<>();
    IntStream.range(0, 500).forEach(i -> picks.add(scheduler.next()));
    int gap = 0;
    for (int pick : picks) {
      gap = pick == 1 ? gap + 1 : 0;
      assertThat(gap).isLessThanOrEqualTo(5);
    }
  }

  @Test
  void l21EndpointsWithoutAWeightGetTheMean() {
    int[] shares = shares(30_000, 1, 3, 0);
    assertThat(shares[2]).isCloseTo(10_000, Offset.offset(50));
    assertThat(shares[1]).isCloseTo(15_000, Offset.offset(50));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 7})
  void l21WithoutTwoWeightsAllAreChosenInTurn(double only) {
    double[] weights = {0, only, 0};
    assertThat(new StrideScheduler(weights, sequence).isWeighted()).isFalse();
    sequence.set(0);
    StrideScheduler scheduler = new StrideScheduler(weights, sequence);
    assertThat(IntStream.range(0, 7).map(i -> scheduler.next()))
        .containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void noWeightCountsForMoreThanTenOrLessThanATenthOfTheMean() {
    double[] weights = new double[101];
    Arrays.fill(weights, 1);
    weights[0] = 1e9;
    weights[1] = 1e-9;
    int[] shares = shares(1_100_000, weights);
    // The mean is about 1e7, ten times that is the most, and a tenth of it the least.
    assertThat(shares[0] / (double) shares[1]).isCloseTo(100, Offset.offset(2.0));
    assertThat(shares[1]).isCloseTo(shares[2], Offset.offset(100));
  }

  @Test
  void theCounterMayPassItsEnd() {
    sequence.set(Integer.MAX_VALUE - 100);
    int[] shares = shares(6_000, 1, 2, 3);
    assertThat(shares[2]).isCloseTo(3_000, Offset.offset(20));
    sequence.set(-100);
    assertThat(shares(6_000, 1, 2, 3)[2]).isCloseTo(3_000, Offset.offset(20));
  }

  @Test
  void weightsBeyondAllBoundsDoNoHarm() {
    assertThat(shares(100, Double.MAX_VALUE / 8, Double.MIN_VALUE)[0]).isGreaterThan(80);
    assertThat(shares(100, Double.NaN, 1, 1)).hasSize(3);
  }
}
