// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.holdfast.config.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Durations and timestamps as the JSON mapping writes them. */
final class TimeReader {
  private static final Pattern DURATION = Pattern.compile("(-?)([0-9]{1,12})(?:\\.([0-9]{1,9}))?s");
  private static final long LONGEST_SECONDS = 315_576_000_000L;
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})");
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private TimeReader() {}

  /** Null after a problem. A negative one is a duration; whether it is allowed is for others. */
  static @Nullable SecondsAndNanos duration(Value value, FieldPath at) {
    String expected = "seconds with an s, such as \"1.5s\"";
    if (!(ScalarReader.content(value) instanceof String text)) {
      at.wrongSort(value, expected);
      return null;
    }
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(2)) > LONGEST_SECONDS) {
      at.invalid(value, ErrorText.quote(text) + " (expected: " + expected + ")");
      return null;
    }
    String fraction = matcher.group(3) == null ? "" : matcher.group(3);
    int nanos = Integer.parseInt((fraction + "000000000").substring(0, 9));
    int sign = matcher.group(1).isEmpty() ? 1 : -1;
    return new SecondsAndNanos(sign * Long.parseLong(matcher.group(2)), sign * nanos);
  }

  /** Null after a problem. */
  static @Nullable SecondsAndNanos timestamp(Value value, FieldPath at) {
    String expected = "a time such as \"2026-01-31T12:00:00Z\"";
    if (!(ScalarReader.content(value) instanceof String text)) {
      at.wrongSort(value, expected);
      return null;
    }
    Instant instant = instant(text);
    if (instant == null) {
      at.invalid(value, ErrorText.quote(text) + " (expected: " + expected + ")");
      return null;
    }
    return new SecondsAndNanos(instant.getEpochSecond(), instant.getNano());
  }

  private static @Nullable Instant instant(String text) {
    if (!TIMESTAMP.matches(text)) {
      return null;
    }
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      return instant.isBefore(FIRST) || instant.isAfter(LAST) ? null : instant;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
