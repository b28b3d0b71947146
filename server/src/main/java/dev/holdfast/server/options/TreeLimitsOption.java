// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.config.files.TreeLimits;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the option for the size of the served tree. */
public final class TreeLimitsOption {
  private static final Pattern LIMIT = Pattern.compile("(files|depth|bytes)=([0-9]{1,9})([KMG]i)?");

  private TreeLimitsOption() {}

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public static TreeLimits parse(String text) {
    TreeLimits limits = TreeLimits.defaults();
    for (String part : text.split(",", -1)) {
      Matcher limit = LIMIT.matcher(part.strip());
      if (!limit.matches()) {
        throw unexpected(text);
      }
      long number = Long.parseLong(limit.group(2));
      String unit = limit.group(3);
      if (number == 0 || (unit != null && !limit.group(1).equals("bytes"))) {
        throw unexpected(text);
      }
      limits =
          switch (limit.group(1)) {
            case "files" -> new TreeLimits((int) number, limits.depth(), limits.bytes());
            case "depth" -> new TreeLimits(limits.entries(), (int) number, limits.bytes());
            default -> new TreeLimits(limits.entries(), limits.depth(), number * factor(unit));
          };
    }
    return limits;
  }

  private static long factor(@Nullable String unit) {
    if (unit == null) {
      return 1;
    }
    return switch (unit) {
      case "Ki" -> 1L << 10;
      case "Mi" -> 1L << 20;
      default -> 1L << 30;
    };
  }

  private static IllegalArgumentException unexpected(String text) {
    return new IllegalArgumentException(
        "'" + text + "' (expected: one or more limits such as files=100000,depth=32,bytes=256Mi)");
  }
}
