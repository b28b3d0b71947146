// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time such as {@code 30s}, as an option. */
public final class TimeSpan implements ITypeConverter<Duration> {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,3})?)(ms|s|m|h|)");
  private static final Duration LONGEST = Duration.ofDays(1);

  @Override
  public Duration convert(String value) {
    Matcher matcher = TEXT.matcher(value);
    if (matcher.matches()) {
      long unit =
          switch (matcher.group(2)) {
            case "ms" -> 1;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 1_000;
          };
      BigDecimal millis = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
      Duration span = Duration.ofMillis(millis.longValue());
      if (span.compareTo(LONGEST) <= 0) {
        return span;
      }
    }
    throw new TypeConversionException(
        "'" + value + "' (expected: such as 500ms, 30s, 2m or 1h, at most a day)");
  }
}
