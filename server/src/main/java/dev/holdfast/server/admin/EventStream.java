// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.controlplane.report.Event;
import dev.holdfast.server.http.HttpCall;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One caller that listens. A caller that falls behind by more than its queue holds is told so as
 * the last thing; one that reads nothing at all for a while just loses its connection.
 */
final class EventStream implements Runnable {
  static final String CONTENT_TYPE = "text/event-stream; charset=utf-8";

  private static final Map<String, String> HEADERS = headers();

  /** The last thing that a caller hears when the server stops. */
  static final Event CLOSED = last("closed", "the server is shutting down");

  private static final Event DROPPED =
      last("dropped", "this client read events too slowly; reconnect");
  private static final Event GAP =
      last("gap", "earlier events are missing; fetch the current state");

  private final HttpCall call;
  private final AdminSettings.Events settings;
  private final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
  private boolean ended; // guarded by this

  EventStream(HttpCall call, AdminSettings.Events settings) {
    this.call = call;
    this.settings = settings;
  }

  private static Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>(AdminServer.HEADERS);
    headers.put("X-Accel-Buffering", "no");
    return headers;
  }

  private static Event last(String kind, String message) {
    return new Event(0, Instant.EPOCH, kind, null, 0, "", "", message);
  }

  /** The events that are sent first. */
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
    try (HttpCall.Stream out = call.stream(CONTENT_TYPE, HEADERS)) {
      out.onEnd(() -> end(CLOSED)); // so that others can have its place
      out.write("retry: 2000\n\n", settings.longestWrite());
      Event event = null;
      while (!CLOSED.equals(event) && !DROPPED.equals(event)) {
        event = queue.poll(settings.heartbeat().toNanos(), TimeUnit.NANOSECONDS);
        out.write(event == null ? ": keep-alive\n\n" : text(event), settings.longestWrite());
      }
    } catch (IOException e) {
      // The caller went away, or did not read.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
