// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.controlplane.report.Event;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.server.http.HttpCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells callers what happens, as server-sent events. The last events are remembered, so that a
 * caller that lost its connection and says the id of the last event it saw misses nothing.
 *
 * <p>The control plane's loop only ever puts an event into queues of limited length. Each caller
 * has a thread, since writing to one that does not read takes as long as it pleases; see {@link
 * EventStream}.
 */
final class EventStreams implements AutoCloseable {
  private final AdminSettings.Events settings;
  private final ThreadPoolExecutor threads;
  private final AutoCloseable watch;
  private final LongAdder refused = new LongAdder();

  // Guarded by this.
  private final Deque<Event> remembered = new ArrayDeque<>();
  private final Set<EventStream> streams = new HashSet<>();
  private boolean closed;

  EventStreams(Reports reports, AdminSettings.Events settings) {
    this.settings = settings;
    threads =
        new ThreadPoolExecutor(
            0,
            settings.streams(),
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "holdfast-events");
              thread.setDaemon(true);
              return thread;
            });
    watch = reports.watch(this::onEvent);
  }

  private synchronized void onEvent(Event event) {
    remembered.addLast(event);
    if (remembered.size() > settings.remembered()) {
      remembered.removeFirst();
    }
    streams.removeIf(stream -> !stream.offer(event));
  }

  /**
   * Takes a call over, until its caller or the server ends it.
   *
   * @param after the last event that the caller has seen, if it has seen any
   * @throws HttpProblem if there are too many already
   */
  void serve(HttpCall call, OptionalLong after) {
    EventStream stream = new EventStream(call, settings);
    try {
      threads.execute(
          () -> {
            try {
              join(stream, after);
              stream.run();
            } finally {
              leave(stream);
            }
          });
    } catch (RejectedExecutionException e) {
      refused.increment();
      throw HttpProblem.unavailable(
          "events: "
              + settings.streams()
              + " event streams are open already (limit eventStreams); try again later");
    }
  }

  private synchronized void join(EventStream stream, OptionalLong after) {
    if (closed) {
      stream.end(EventStream.CLOSED);
      return;
    }
    if (after.isPresent()) {
      List<Event> missed = new ArrayList<>();
      remembered.stream().filter(event -> event.id() > after.getAsLong()).forEach(missed::add);
      stream.begin(missed, /* gap= */ !remembers(after.getAsLong()));
    }
    streams.add(stream);
  }

  /** Whether nothing is missing between an event and the oldest that is remembered. */
  private boolean remembers(long id) {
    return !remembered.isEmpty()
        && remembered.getFirst().id() <= id + 1
        && remembered.getLast().id() >= id;
  }

  private synchronized void leave(EventStream stream) {
    streams.remove(stream);
  }

  /** How many callers were turned away. */
  long refused() {
    return refused.sum();
  }

  synchronized int count() {
    return streams.size();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      streams.forEach(stream -> stream.end(EventStream.CLOSED));
    }
    try {
      watch.close();
    } catch (Exception e) {
      throw new IllegalStateException("the control plane did not close an event watch", e);
    }
    threads.shutdown();
    try {
      if (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
