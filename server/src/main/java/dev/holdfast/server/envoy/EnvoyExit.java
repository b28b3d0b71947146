// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The end of one process of an Envoy.
 *
 * @param at when it was over
 * @param code what it ended with; more than 128 after a signal
 * @param hung whether it was ended because it did not answer any more
 * @param lastWords the last lines that it wrote
 */
public record EnvoyExit(Instant at, int code, boolean hung, List<String> lastWords) {
  private static final int SIGNALLED = 128;

  /** Time, thread, level, component and place in the source. */
  private static final Pattern PREFIX = Pattern.compile("^(\\[[^]]*])+ *(\\[[^]]*:[0-9]+] *)?");

  public EnvoyExit {
    lastWords = List.copyOf(lastWords);
  }

  /** What it said last of what was wrong with it; empty if it said nothing. */
  public String complaint() {
    return lastWords.stream()
        .filter(line -> line.contains("][critical]") || line.contains("][error]"))
        .filter(line -> !line.contains("Backtrace") && !line.contains("][backtrace]"))
        .reduce((earlier, later) -> later.contains("Caught ") ? earlier : later)
        .map(line -> PREFIX.matcher(line).replaceFirst(""))
        .orElse("");
  }

  /** What happened, such as {@code ended by SIGABRT}. */
  public String text() {
    if (hung) {
      return "did not answer any more";
    }
    return code > SIGNALLED
        ? "ended by " + signal(code - SIGNALLED)
        : "ended with exit code " + code;
  }

  private static String signal(int number) {
    return switch (number) {
      case 4 -> "SIGILL";
      case 6 -> "SIGABRT";
      case 7 -> "SIGBUS";
      case 8 -> "SIGFPE";
      case 9 -> "SIGKILL";
      case 11 -> "SIGSEGV";
      case 15 -> "SIGTERM";
      default -> "signal " + number;
    };
  }
}
