// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void theDefaultsAreOneSecondTimes1Point6UpToTwoMinutes() {
    Backoff backoff = new Backoff(BackoffPolicy.defaults(), always(0.5)); // the middle: no jitter

    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      millis.add(backoff.next().toMillis());
    }

    assertThat(millis)
        .containsExactly(
            1000L, 1600L, 2560L, 4096L, 6553L, 10485L, 16777L, 26843L, 42949L, 68719L, 109951L,
            120000L, 120000L);
  }

  @Test
  void jitterGoesTwentyPercentBothWays() {
    assertThat(new Backoff(BackoffPolicy.defaults(), always(0)).next())
        .isEqualTo(Duration.ofMillis(800));
    assertThat(new Backoff(BackoffPolicy.defaults(), always(Math.nextDown(1.0))).next())
        .isBetween(Duration.ofMillis(1199), Duration.ofMillis(1200));
  }

  @Test
  void jitterIsSpreadOverTheWholeRangeAndDoesNotCompound() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    Backoff backoff = new Backoff(BackoffPolicy.defaults(), random);
    double base = 1000;
    double lowest = 2;
    double highest = 0;
    for (int i = 0; i < 1000; i++) {
      double factor = backoff.next().toNanos() / 1e6 / base;
      assertThat(factor).isBetween(0.7999, 1.2001);
      lowest = Math.min(lowest, factor);
      highest = Math.max(highest, factor);
      base = Math.min(base * 1.6, 120_000);
    }
    assertThat(lowest).isLessThan(0.82);
    assertThat(highest).isGreaterThan(1.18);
  }

  @Test
  void resetStartsAnew() {
    Backoff backoff = new Backoff(BackoffPolicy.defaults(), always(0.5));
    backoff.next();
    backoff.next();

    backoff.reset();

    assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void policiesThatMakeNoSenseAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BackoffPolicy(Duration.ZERO, 1.6, second, 0.2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BackoffPolicy(second, 1.6, Duration.ofMillis(999), 0.2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BackoffPolicy(second, 0.9, second, 0.2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BackoffPolicy(second, Double.NaN, second, 0.2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BackoffPolicy(second, 1.6, second, 1))
        .withMessageContaining("expected:");
  }

  private static RandomGenerator always(double value) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        throw new AssertionError("only doubles are expected");
      }

      @Override
      public double nextDouble() {
        return value;
      }
    };
  }
}
