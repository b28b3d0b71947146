// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the log lines about each peer: of what is left out, the number is told once a minute.
 * Beyond a number of peers, all others share one account. Thread-safe.
 */
public final class PeerLog {
  static final int LINES_PER_MINUTE = 10;
  static final int MAX_PEERS = 200;

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int LONGEST_NAME = 128;

  private final TimeSource time;
  private final Executor loop;
  private final Consumer<String> out;
  private final Map<String, Account> accounts = new LinkedHashMap<>();
  private final Account others = new Account();
  private TimeSource.@Nullable Timer window;

  private static final class Account {
    private int lines;
    private long omitted;
  }

  /**
   * @param loop runs what is due at the end of a minute
   * @param out takes the lines
   */
  public PeerLog(TimeSource time, Executor loop, Consumer<String> out) {
    this.time = time;
    this.loop = loop;
    this.out = out;
  }

  /** Logs a line about a peer, or counts it. The text is composed only if it is logged. */
  public synchronized void log(String node, Supplier<String> line) {
    Account account = accounts.get(node);
    if (account == null) {
      account = accounts.size() < MAX_PEERS ? new Account() : others;
      if (account != others) {
        accounts.put(node, account);
      }
    }
    if (window == null) {
      window = time.schedule(WINDOW, () -> loop.execute(this::endWindow));
    }
    if (account.lines < LINES_PER_MINUTE) {
      account.lines++;
      out.accept(line.get());
    } else {
      account.omitted++;
    }
  }

  private synchronized void endWindow() {
    window = null;
    accounts.forEach((node, account) -> tellOmitted(name(node), account));
    tellOmitted("other proxies", others);
    accounts.clear();
    others.lines = 0;
    others.omitted = 0;
  }

  private void tellOmitted(String peer, Account account) {
    if (account.omitted > 0) {
      out.accept(
          account.omitted + " more lines about " + peer + " were left out in the last minute");
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
    if (window != null) {
      window.cancel();
      endWindow();
    }
  }
}
