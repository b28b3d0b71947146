// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import org.jspecify.annotations.Nullable;

/** Times as programs read them: RFC 3339 in UTC with milliseconds. */
final class Times {
  private static final DateTimeFormatter RFC_3339 =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private Times() {}

  static String text(Instant time) {
    return RFC_3339.format(time);
  }

  static @Nullable String textOrNull(@Nullable Instant time) {
    return time == null ? null : text(time);
  }
}
