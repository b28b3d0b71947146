// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A clock that runs faster, and timers that never come before its time. */
class FasterTimeTest {
  @Test
  void timersAndTheClockAgree() {
    ManualTime real = new ManualTime();
    FasterTime fast = new FasterTime(real, 2.5);
    List<Long> seen = new ArrayList<>();
    long began = fast.nanoTime();
    fast.schedule(Duration.ofSeconds(10), () -> seen.add(fast.nanoTime() - began));

    real.advance(Duration.ofMillis(3_999));
    assertThat(seen).isEmpty();
    real.advance(Duration.ofMillis(2));
    assertThat(seen).hasSize(1);
    assertThat(seen.get(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(10).toNanos());
    assertThat(fast.now()).isEqualTo(real.now());
  }
}
