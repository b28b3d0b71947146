// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {
  private static final Instant TIME = Instant.parse("2030-01-01T10:20:30Z");

  @Test
  void timesForProgramsAlwaysHaveMilliseconds() {
    assertThat(Times.rfc3339(TIME)).isEqualTo("2030-01-01T10:20:30.000Z");
    assertThat(Times.rfc3339(TIME.plusNanos(7_123_456))).isEqualTo("2030-01-01T10:20:30.007Z");
  }

  @Test
  void timesForPeopleAreOfTheirDay() {
    assertThat(Times.clock(TIME, ZoneOffset.ofHours(2))).isEqualTo("12:20:30.000");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.9S, 0s",
    "PT59S, 59s",
    "PT1M, 1m",
    "PT3M20S, 3m20s",
    "PT2H5M59S, 2h5m",
    "PT24H, 1d",
    "PT99H, 4d3h",
    "PT-5S, 0s"
  })
  void agesHaveAtMostTwoUnits(Duration age, String text) {
    assertThat(Times.age(TIME, TIME.plus(age))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0.4, 0ms",
    "12.345, 12ms",
    "999.4, 999ms",
    "1000, 1.0s",
    "10254.325, 10.3s",
    "60000, 1m",
    "125400, 2m5s"
  })
  void whatSomethingTookIsShort(double millis, String text) {
    assertThat(Times.took(millis)).isEqualTo(text);
  }
}
