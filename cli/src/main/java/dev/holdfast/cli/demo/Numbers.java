// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import java.time.Duration;
import java.util.Locale;

/** Numbers as they are printed. */
final class Numbers {
  private Numbers() {}

  static String of(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number of things, one or many. */
  static String of(long number, String thing) {
    return of(number) + " " + thing + (number == 1 ? "" : "s");
  }

  static String millis(double millis) {
    return of(Duration.ofNanos(Math.round(millis * 1e6)));
  }

  static String of(Duration duration) {
    long millis = duration.toMillis();
    return millis < 1_000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
  }
}
