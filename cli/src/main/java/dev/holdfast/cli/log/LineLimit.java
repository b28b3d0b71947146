// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.log;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the lines of each logger of a library: gRPC writes a stack trace for each message that is
 * too large, and whoever connects may send any number of them. Thread-safe.
 */
final class LineLimit {
  static final int LINES_PER_MINUTE = 10;

  private static final long WINDOW = Duration.ofMinutes(1).toNanos();

  private final TimeSource time;
  private final Map<String, Account> accounts = new HashMap<>();

  private static final class Account {
    private long began;
    private int lines;
    private long omitted;
  }

  /**
   * What becomes of a line.
   *
   * @param isLogged whether it is written
   * @param isLast whether later ones within the minute are not
   * @param omitted how many were left out since the previous line
   */
  record Verdict(boolean isLogged, boolean isLast, long omitted) {
    /** What is said after the line about others; empty if there is nothing to say. */
    String note() {
      if (isLast) {
        return " (more lines of this logger within a minute are left out)";
      }
      return omitted == 0 ? "" : " (" + omitted + " lines of this logger were left out before)";
    }
  }

  LineLimit(TimeSource time) {
    this.time = time;
  }

  /** Counts a line of a logger; libraries have few of these, whatever peers do. */
  synchronized Verdict count(String logger) {
    Account account = accounts.computeIfAbsent(logger, unused -> new Account());
    long now = time.nanoTime();
    if (account.lines == 0 || now - account.began >= WINDOW) {
      account.began = now;
      account.lines = 0;
    }
    if (account.lines == LINES_PER_MINUTE) {
      account.omitted++;
      return new Verdict(/* isLogged= */ false, /* isLast= */ false, account.omitted);
    }
    account.lines++;
    long omitted = account.omitted;
    account.omitted = 0;
    return new Verdict(/* isLogged= */ true, account.lines == LINES_PER_MINUTE, omitted);
  }
}
