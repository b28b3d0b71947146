// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Times as they are printed. */
public final class Times {
  private static final DateTimeFormatter RFC_3339 =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private Times() {}

  /** For programs: RFC 3339 in UTC with milliseconds. */
  public static String rfc3339(Instant time) {
    return RFC_3339.format(time);
  }

  /** For people: the time of day. */
  public static String clock(Instant time, ZoneId zone) {
    return CLOCK.format(time.atZone(zone));
  }

  /** How long ago, in at most two units: {@code 5s}, {@code 3m20s}, {@code 2h5m}, {@code 4d3h}. */
  public static String age(Instant time, Instant now) {
    Duration age = Duration.between(time, now);
    if (age.isNegative()) { // the other machine's clock is ahead of ours
      return "0s";
    }
    long days = age.toDays();
    if (days > 0) {
      return units(days, "d", age.toHoursPart(), "h");
    }
    if (age.toHours() > 0) {
      return units(age.toHours(), "h", age.toMinutesPart(), "m");
    }
    return age.toMinutes() > 0
        ? units(age.toMinutes(), "m", age.toSecondsPart(), "s")
        : age.toSeconds() + "s";
  }

  /** How long something took: {@code 12ms}, {@code 3.4s}, {@code 2m5s}. */
  public static String took(double millis) {
    if (millis < 1000) {
      return String.format(Locale.ROOT, "%.0fms", millis);
    }
    Duration duration = Duration.ofMillis(Math.round(millis));
    return duration.toMinutes() > 0
        ? units(duration.toMinutes(), "m", duration.toSecondsPart(), "s")
        : String.format(Locale.ROOT, "%.1fs", millis / 1000);
  }

  private static String units(long large, String largeUnit, int small, String smallUnit) {
    return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
  }
}
