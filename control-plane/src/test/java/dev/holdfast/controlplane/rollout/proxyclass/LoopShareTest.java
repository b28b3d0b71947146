// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Work for classes without a say takes a fifth of the loop's time. */
final class LoopShareTest {
  private final ManualTime time = new ManualTime();
  private int woken;
  private final LoopShare share = new LoopShare(time, () -> woken++);

  private void work(Duration took) {
    share.run(() -> time.advance(took));
  }

  @Test
  void shortWorkNeverWaits() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(share.isOpen()).isTrue();
      work(Duration.ofMillis(1));
      time.advance(Duration.ofMillis(4));
    }
    assertThat(woken).isZero();
  }

  @Test
  void longWorkIsFollowedByAPauseFourTimesAsLong() {
    work(Duration.ofSeconds(2));
    assertThat(share.isOpen()).isFalse();
    time.advance(Duration.ofSeconds(7));
    assertThat(share.isOpen()).isFalse();
    assertThat(woken).isZero();
    time.advance(Duration.ofSeconds(3));
    assertThat(woken).isEqualTo(1);
    share.woken();
    assertThat(share.isOpen()).isTrue();
  }

  @Test
  void whoeverWaitsIsWokenOnce() {
    work(Duration.ofSeconds(1));
    for (int i = 0; i < 100; i++) {
      assertThat(share.isOpen()).isFalse();
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(woken).isEqualTo(1);
  }

  @Test
  void whateverIsDoneTakesAFifth() {
    long worked = 0;
    long start = time.nanoTime();
    for (int i = 0; i < 10_000; i++) {
      if (share.isOpen()) {
        work(Duration.ofMillis(i % 300));
        worked += Duration.ofMillis(i % 300).toNanos();
      }
      time.advance(Duration.ofMillis(10));
    }
    assertThat((double) worked / (time.nanoTime() - start)).isBetween(0.15, 0.21);
  }
}
