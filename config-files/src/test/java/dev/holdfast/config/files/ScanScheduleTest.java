// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScanScheduleTest {
  private static final WatchTimings WATCHING = new WatchTimings(ms(10), ms(50), ms(200), ms(5000));

  private final ScanSchedule schedule = new ScanSchedule(WATCHING);

  @Test
  void looksWhenItHasBeenQuiet() {
    schedule.looked(ms(0));

    assertThat(schedule.due(true, ms(10))).isFalse();
    assertThat(schedule.due(true, ms(40))).isFalse();
    assertThat(schedule.due(false, ms(89))).isFalse();
    assertThat(schedule.due(false, ms(90))).isTrue();
  }

  @Test
  void looksInTheMiddleOfThingsWhenTheyDoNotEnd() {
    schedule.looked(ms(0));
    for (int now = 10; now < 210; now += 10) {
      assertThat(schedule.due(true, ms(now))).isFalse();
    }
    assertThat(schedule.due(true, ms(210))).isTrue();
  }

  @Test
  void looksNowAndThenAlthoughNothingHappens() {
    schedule.looked(ms(1000));

    assertThat(schedule.due(false, ms(5999))).isFalse();
    assertThat(schedule.due(false, ms(6000))).isTrue();
    schedule.looked(ms(6000));
    assertThat(schedule.due(false, ms(6010))).isFalse();
  }

  @Test
  void aLookSeesAllThatHappenedBeforeIt() {
    assertThat(schedule.due(true, ms(10))).isFalse();
    schedule.looked(ms(20));
    assertThat(schedule.due(false, ms(100))).isFalse();
  }

  @Test
  void timesAreMoreThanNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WatchTimings(ms(10), ms(0), ms(1), ms(1)))
        .withMessage("quiet: PT0S (expected: a positive duration)");
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
