// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.log;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the log lines about each peer, or about anything else that may happen without an end: of
 * what is left out, the number is told once a minute. Beyond a number of peers, all others share
 * one account. Thread-safe.
 */
public final class LimitedLog {
  static final int LINES_PER_MINUTE = 10;
  static final int MAX_PEERS = 200;

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int LONGEST_NAME = 128;

  private final TimeSource time;
  private final Executor loop;
  private final Consumer<LogLine> out;
  private final Map<String, Account> accounts = new LinkedHashMap<>();
  private final Account others = new Account();
  private boolean isOpen;
  private long began;

  /** Runs only if something is to be told at the end of the minute. */
  private TimeSource.@Nullable Timer end;

  private static final class Account {
    private int lines;
    private long omitted;
    private LogArea area = LogArea.PROXIES;
  }

  /**
   * @param loop runs what is due at the end of a minute
   * @param out takes the lines
   */
  public LimitedLog(TimeSource time, Executor loop, Consumer<LogLine> out) {
    this.time = time;
    this.loop = loop;
    this.out = out;
  }

  /**
   * Logs a line, or counts it. It is composed only if it is logged.
   *
   * @param about the node id, or what else the line is about: all with the same count together
   */
  public synchronized void log(String about, Supplier<LogLine> line) {
    long now = time.nanoTime();
    if (isOpen && now - began >= WINDOW.toNanos()) {
      endWindow();
    }
    if (!isOpen) {
      isOpen = true;
      began = now;
    }
    Account account = accounts.get(about);
    if (account == null) {
      account = accounts.size() < MAX_PEERS ? new Account() : others;
      if (account != others) {
        accounts.put(about, account);
      }
    }
    if (account.lines < LINES_PER_MINUTE) {
      account.lines++;
      LogLine logged = line.get();
      account.area = logged.area();
      out.accept(logged);
    } else {
      account.omitted++;
      if (end == null) {
        Duration left = WINDOW.minusNanos(now - began);
        end = time.schedule(left, () -> loop.execute(this::endWindow));
      }
    }
  }

  private synchronized void endWindow() {
    if (end != null) {
      end.cancel();
      end = null;
    }
    isOpen = false;
    accounts.forEach((about, account) -> tellOmitted(name(about), account));
    tellOmitted("other proxies", others);
    accounts.clear();
    others.lines = 0;
    others.omitted = 0;
  }

  private void tellOmitted(String about, Account account) {
    if (account.omitted > 0) {
      out.accept(
          account
              .area
              .warn("omitted")
              .with("about", about)
              .with("lines", account.omitted)
              .text(
                  account.omitted
                      + " more lines about "
                      + about
                      + " were left out in the last minute"));
    }
  }

  /** A node id as a log may contain it: short, and without control characters. */
  public static String name(String node) {
    String cut = node.length() <= LONGEST_NAME ? node : node.substring(0, LONGEST_NAME) + "...";
    StringBuilder name = new StringBuilder(cut.length());
    cut.codePoints()
        .forEach(
            c ->
                name.appendCodePoint(
                    Character.isISOControl(c) || Character.getType(c) == Character.FORMAT
                        ? '?'
                        : c));
    return name.toString();
  }

  public synchronized void close() {
    endWindow();
  }
}
