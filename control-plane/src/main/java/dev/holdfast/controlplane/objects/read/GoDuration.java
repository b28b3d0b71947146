// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations in Go's syntax: {@code 1h30m}, {@code 1.5s}, {@code 250ms}. Never negative. */
public final class GoDuration {
  static final String PATTERN = "0|((\\d+(\\.\\d*)?|\\.\\d+)(h|m|s|ms|us|\u00b5s|\u03bcs|ns))+";

  private static final Pattern PART = Pattern.compile("([0-9.]+)([a-z\u00b5\u03bc]+)");
  private static final Pattern WHOLE = Pattern.compile(PATTERN);
  private static final int MAX_TEXT_LENGTH = 200;
  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

  private GoDuration() {}

  /** The duration; null if the text is not a duration, or longer than Go supports (292 years). */
  public static @Nullable Duration parse(String text) {
    // Limit the length first: the pattern repeats a group, and each repetition costs stack.
    if (text.length() > MAX_TEXT_LENGTH || !WHOLE.matcher(text).matches()) {
      return null;
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      nanos = nanos.add(number(parts.group(1)).multiply(BigDecimal.valueOf(unit(parts.group(2)))));
    }
    return nanos.compareTo(MAX_NANOS) > 0 ? null : Duration.ofNanos(nanos.longValue());
  }

  private static BigDecimal number(String digits) {
    return new BigDecimal(digits.endsWith(".") ? digits + "0" : digits);
  }

  private static long unit(String unit) {
    return switch (unit) {
      case "h" -> 3_600_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "s" -> 1_000_000_000L;
      case "ms" -> 1_000_000L;
      case "ns" -> 1L;
      default -> 1_000L; // the three spellings of microseconds
    };
  }
}
