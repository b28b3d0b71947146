// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScanScheduleTest {
  private static final WatchTimings WATCHING = new WatchTimings(ms(10), ms(50), ms(200), ms(5000));

  private final ScanSchedule attention = new ScanSchedule(WATCHING);

  @Test
  void looksWhenItHasBeenQuiet() {
    attention.looked(ms(0));

    assertThat(attention.due(true, ms(10))).isFalse();
    assertThat(attention.due(true, ms(40))).isFalse();
    assertThat(attention.due(false, ms(89))).isFalse();
    assertThat(attention.due(false, ms(90))).isTrue();
  }

  @Test
  void looksInTheMiddleOfThingsWhenTheyDoNotEnd() {
    attention.looked(ms(0));
    for (int now = 10; now < 210; now += 10) {
      assertThat(attention.due(true, ms(now))).isFalse();
    }
    assertThat(attention.due(true, ms(210))).isTrue();
  }

  @Test
  void looksNowAndThenAlthoughNothingHappens() {
    attention.looked(ms(1000));

    assertThat(attention.due(false, ms(5999))).isFalse();
    assertThat(attention.due(false, ms(6000))).isTrue();
    attention.looked(ms(6000));
    assertThat(attention.due(false, ms(6010))).isFalse();
  }

  @Test
  void aLookSeesAllThatHappenedBeforeIt() {
    assertThat(attention.due(true, ms(10))).isFalse();
    attention.looked(ms(20));
    assertThat(attention.due(false, ms(100))).isFalse();
  }

  @Test
  void timesAreMoreThanNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WatchTimings(ms(10), ms(0), ms(1), ms(1)))
        .withMessage("quiet: PT0S (expected: more than none)");
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
