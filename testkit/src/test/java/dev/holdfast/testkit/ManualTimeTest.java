// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.TimeSource.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
  private final ManualTime time = new ManualTime();
  private final List<String> ran = new ArrayList<>();

  @Test
  void runsWhatIsDueInOrderAndAtItsOwnTime() {
    time.schedule(Duration.ofSeconds(2), () -> ran.add("b at " + time.nanoTime()));
    time.schedule(Duration.ofSeconds(1), () -> ran.add("a at " + time.nanoTime()));
    time.schedule(Duration.ofSeconds(2), () -> ran.add("c at " + time.nanoTime()));
    time.schedule(Duration.ofSeconds(3), () -> ran.add("never"));

    time.advance(Duration.ofMillis(2_500));

    assertThat(ran).containsExactly("a at 1000000000", "b at 2000000000", "c at 2000000000");
    assertThat(time.pending()).containsExactly(Duration.ofMillis(500));
  }

  @Test
  void doesNotRunWhatWasCancelled() {
    Timer timer = time.schedule(Duration.ofSeconds(1), () -> ran.add("never"));
    timer.cancel();

    time.advance(Duration.ofSeconds(5));

    assertThat(ran).isEmpty();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void runsWhatADueTimerSchedulesIfThatIsDueToo() {
    time.schedule(
        Duration.ofSeconds(1), () -> time.schedule(Duration.ofSeconds(1), () -> ran.add("second")));

    time.advance(Duration.ofSeconds(2));

    assertThat(ran).containsExactly("second");
  }
}
