// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import java.util.regex.Pattern;

/** Finds what really went wrong: gRPC says "io exception" and leaves the reason in the causes. */
final class RootCause {
  /** What netty puts before the system's own words. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed( with error\\(-?\\d+\\))?: ");

  private RootCause() {}

  /** The innermost words that there are. */
  static String innermost(Throwable error) {
    String words = error.toString();
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null) {
        words = cause.getMessage();
      }
    }
    return SYSTEM_CALL.matcher(words).replaceFirst("");
  }
}
