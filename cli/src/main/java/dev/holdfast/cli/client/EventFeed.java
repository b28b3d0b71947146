// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells that something happened on a server, and nothing of what: whoever is told reads. So it does
 * no harm that a connection is lost and made anew, that events are missed, or that the server lets
 * nobody else listen; whoever depends on it looks now and then anyway.
 */
public final class EventFeed implements AutoCloseable {
  private static final int RETRY_SECONDS = 2;

  private final AdminClient client;
  private final Runnable onEvent;
  private final CountDownLatch closed = new CountDownLatch(1);

  private EventFeed(AdminClient client, Runnable onEvent) {
    this.client = client;
    this.onEvent = onEvent;
  }

  /**
   * Listens until it is closed.
   *
   * @param onEvent called on a thread of the feed, also when it begins to listen
   */
  public static EventFeed start(AdminClient client, Runnable onEvent) {
    EventFeed feed = new EventFeed(client, onEvent);
    Thread thread = new Thread(feed::run, "holdfast-events-reader");
    thread.setDaemon(true);
    thread.start();
    return feed;
  }

  private void run() {
    try {
      do {
        listen();
      } while (!closed.await(RETRY_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen() {
    try (InputStream in = client.stream("/api/v1/events");
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
      tell(); // whatever happened before we listened
      for (String line = lines.readLine(); line != null && isOpen(); line = lines.readLine()) {
        if (line.startsWith("event:")) {
          tell();
        }
      }
    } catch (IOException | CommandException e) {
      // The one who reads will notice, and is in a better place to say so.
    }
  }

  private void tell() {
    if (isOpen()) {
      onEvent.run();
    }
  }

  private boolean isOpen() {
    return closed.getCount() > 0;
  }

  /** Nothing is told from now on. The connection goes when the server next says something. */
  @Override
  public void close() {
    closed.countDown();
  }
}
