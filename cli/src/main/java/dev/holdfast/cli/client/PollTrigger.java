// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a command that waits: when something happens on the server, when it is time to look
 * although nothing seems to have happened, and when time is up.
 */
public final class PollTrigger implements AutoCloseable {
  private final TimeSource time;
  private final Duration every;
  private final TimeSource.@Nullable Timer end;
  private final EventFeed feed;

  // Guarded by this.
  private boolean happened;
  private boolean over;

  /**
   * @param every how long to wait for an event before looking anyway
   * @param timeout after how long time is up; null for never
   */
  public PollTrigger(
      AdminClient client, TimeSource time, Duration every, @Nullable Duration timeout) {
    this.time = time;
    this.every = every;
    end = timeout == null ? null : time.schedule(timeout, this::end);
    feed = EventFeed.start(client, this::wake);
  }

  private synchronized void wake() {
    happened = true;
    notifyAll();
  }

  private synchronized void end() {
    over = true;
    notifyAll();
  }

  /** Returns when it is time to look; false when time is up. */
  public boolean await() throws InterruptedException {
    TimeSource.Timer timer = time.schedule(every, this::wake);
    try {
      synchronized (this) {
        while (!happened && !over) {
          wait();
        }
        happened = false;
        return !over;
      }
    } finally {
      timer.cancel();
    }
  }

  @Override
  public void close() {
    feed.close();
    if (end != null) {
      end.cancel();
    }
  }
}
