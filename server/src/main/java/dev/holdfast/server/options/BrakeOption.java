// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.brake.BrakeOptions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the option for deletions that wait for a confirmation. */
public final class BrakeOption {
  private static final Pattern LIMITS = Pattern.compile("([0-9]{1,3})% *, *([0-9]{1,9})");

  private BrakeOption() {}

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public static BrakeOptions parse(String text) {
    if (text.equals("off")) {
      return BrakeOptions.off();
    }
    Matcher limits = LIMITS.matcher(text);
    if (limits.matches() && Integer.parseInt(limits.group(1)) <= 100) {
      return BrakeOptions.of(Integer.parseInt(limits.group(1)), Integer.parseInt(limits.group(2)));
    }
    throw new IllegalArgumentException(
        "'" + text + "' (expected: off, or a share and a number of hosts such as 50%,10)");
  }
}
