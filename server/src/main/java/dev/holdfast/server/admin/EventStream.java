// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.report.Event;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One caller that listens. A caller that falls behind by more than its queue holds is told so as
 * the last thing; one that reads nothing at all for a while just loses its connection.
 */
final class EventStream implements Runnable {
  /** The last thing that a caller hears when the server stops. */
  static final Event CLOSED = last("closed", "the server stops");

  private static final Event DROPPED =
      last("dropped", "too many events were not read in time; listen again");
  private static final Event GAP =
      last("gap", "events before this one are missing; ask for the present state");

  private final HttpExchange exchange;
  private final AdminSettings.Events settings;
  private final TimeSource time;
  private final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
  private boolean ended; // guarded by this

  EventStream(HttpExchange exchange, AdminSettings.Events settings, TimeSource time) {
    this.exchange = exchange;
    this.settings = settings;
    this.time = time;
  }

  private static Event last(String kind, String message) {
    return new Event(0, Instant.EPOCH, kind, null, 0, "", "", message);
  }

  /** What is told before anything else. */
  synchronized void begin(List<Event> missed, boolean gap) {
    if (gap) {
      queue.add(GAP);
    }
    queue.addAll(missed);
  }

  /** Never blocks. False if the caller hears nothing any more. */
  synchronized boolean offer(Event event) {
    if (!ended && queue.size() >= settings.unread()) {
      end(DROPPED);
    }
    return !ended && queue.add(event);
  }

  /** Tells one last thing instead of whatever still waits. */
  synchronized void end(Event last) {
    if (!ended) {
      ended = true;
      queue.clear();
      queue.add(last);
    }
  }

  @Override
  public void run() {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      write(out, "retry: 2000\n\n");
      Event event = null;
      while (!CLOSED.equals(event) && !DROPPED.equals(event)) {
        event = queue.poll(settings.heartbeat().toNanos(), TimeUnit.NANOSECONDS);
        write(out, event == null ? ": nothing happened\n\n" : text(event));
      }
    } catch (IOException e) {
      // The caller went away, or did not read.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(OutputStream out, String text) throws IOException {
    TimeLimit.run(
        time,
        settings.longestWrite(),
        () -> {
          out.write(text.getBytes(UTF_8));
          out.flush();
        });
  }

  private static String text(Event event) {
    String data =
        event.id() == 0
            ? new String(message(event), UTF_8)
            : new String(JsonText.of(json -> EventJson.event(json, event)), UTF_8);
    String id = event.id() == 0 ? "" : "id: " + event.id() + "\n";
    return id + "event: " + oneLine(event.kind()) + "\ndata: " + data + "\n\n";
  }

  private static byte[] message(Event event) {
    return JsonText.of(
        json -> json.beginObject().name("message").value(event.message()).endObject());
  }

  /** JSON has no line breaks of its own; a kind had better have none. */
  private static String oneLine(String text) {
    return text.replaceAll("[\\r\\n]", " ");
  }
}
