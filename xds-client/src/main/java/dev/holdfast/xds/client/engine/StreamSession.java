// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.base.TimeSource;
import dev.holdfast.xds.client.engine.TypeState.Changes;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stream, from its start to its end: what is being sent, what may be read, and the timers that
 * hang on it.
 *
 * <p>At most one request is on its way. The next response is read when the answer to the previous
 * one has been handed over and every watcher who was told of it is done.
 */
final class StreamSession implements XdsTransport.StreamListener {
  private final Connection connection;
  private final EngineContext context;
  private final AdsProtocol protocol;
  private final XdsTransport.Stream stream;
  private final ResourceTimers timers;
  private final long startedAt;

  /** Reports a stream that never gets out; gone once it did. */
  private TimeSource.@Nullable Timer dispatchTimer;

  /** Declares a server well that says nothing because it has nothing new to say. */
  private TimeSource.@Nullable Timer settleTimer;

  /** Sends what may not be sent yet. */
  private TimeSource.@Nullable Timer dueTimer;

  private long dueTimerNanos;

  private boolean dispatched;
  private boolean sawResponse;
  private boolean nodeSent;
  private boolean sending;
  private List<? extends Subscription<?>> beingSent = List.of();
  private boolean reading;
  private boolean watchersBusy;
  private boolean over;

  StreamSession(Connection connection, EngineContext context, XdsTransport transport) {
    this.connection = connection;
    this.context = context;
    protocol = context.config.protocol();
    startedAt = context.nanoTime();
    timers =
        new ResourceTimers(context, connection.rules.resourceTimeout(), this::resourceTimedOut);
    stream = transport.open(protocol, this);
    dispatchTimer =
        context.schedule(context.config.behaviour().dispatchTimeout(), this::notDispatched);
    maybeRead();
  }

  long startedAt() {
    return startedAt;
  }

  boolean sawResponse() {
    return sawResponse;
  }

  boolean wasDispatched() {
    return dispatched;
  }

  ResourceTimers timers() {
    return timers;
  }

  // Sending.

  /** Hands over the next request, if one is due and none is on its way. */
  void flush() {
    if (sending || over) {
      return;
    }
    long now = context.nanoTime();
    for (TypeState<?> type : connection.types()) {
      if (type.isDue(timers, now)) {
        send(type, now);
        return;
      }
    }
    scheduleDue(now);
    maybeRead();
  }

  /** Comes back when the first of those requests is due that may not be sent yet. */
  private void scheduleDue(long now) {
    Long first = null;
    for (TypeState<?> type : connection.types()) {
      Long at = type.dueAt();
      if (at != null && (first == null || at < first)) {
        first = at;
      }
    }
    if (first == null) {
      dueTimer = cancel(dueTimer);
    } else if (dueTimer == null || first != dueTimerNanos) {
      cancel(dueTimer);
      dueTimerNanos = first;
      dueTimer = context.schedule(Duration.ofNanos(first - now), this::dueNow);
    }
  }

  private void dueNow() {
    dueTimer = null;
    flush();
  }

  private <T> void send(TypeState<T> type, long now) {
    boolean firstOfType = !type.mentioned;
    if (firstOfType) {
      type.claimOnlyWhatIsHeld(connection.server);
    }
    Changes<T> changes = type.handOver(timers, now);
    sending = true;
    beingSent = changes.added();
    Message request =
        Requests.build(
            protocol,
            type,
            changes,
            nodeSent ? null : context.config.node(),
            firstOfType,
            connection.server);
    guard(() -> stream.send(request));
    nodeSent = true;
    type.answers.sent(now);
    maybeRead();
  }

  @Override
  public void onSent() {
    onLoop(
        () -> {
          sending = false;
          if (!dispatched) {
            dispatched = true;
            dispatchTimer = cancel(dispatchTimer);
            startSettling();
          }
          timers.start(beingSent);
          beingSent = List.of();
          flush();
        });
  }

  private void notDispatched() {
    dispatchTimer = null;
    if (!over && !dispatched && connection.error() == null) { // else watchers know, and know why
      connection.fail(
          Errors.notDispatched(connection.server, context.config.behaviour().dispatchTimeout()));
    }
  }

  private void startSettling() {
    settleTimer = context.schedule(context.config.behaviour().youngStreamAge(), this::settled);
  }

  void channelFailed() {
    settleTimer = cancel(settleTimer);
  }

  void channelRecovered() {
    if (dispatched && settleTimer == null) {
      startSettling();
    }
  }

  private void settled() {
    if (settleTimer == null) {
      return; // stopped while the task was on its way to the loop
    }
    settleTimer = null;
    if (connection.settled()) {
      connection.tellUsers();
    }
  }

  // Receiving.

  private void maybeRead() {
    if (!over && !reading && !watchersBusy && !owesAnswer()) {
      reading = true;
      guard(stream::requestNext);
    }
  }

  private boolean owesAnswer() {
    long now = context.nanoTime();
    for (TypeState<?> type : connection.types()) {
      if (type.answers.holdReading(now)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void onResponse(ByteString response) {
    onLoop(() -> received(response));
  }

  private void received(ByteString bytes) {
    reading = false;
    Response response;
    try {
      response = Response.parse(protocol, bytes);
    } catch (IOException e) {
      connection.garbled(this, String.valueOf(e.getMessage()));
      return;
    }
    sawResponse = true;
    dispatchTimer = cancel(dispatchTimer);
    settleTimer = cancel(settleTimer);
    boolean recovered = connection.heard();
    TypeState<?> type = connection.type(response.typeUrl());
    if (type == null || !type.isOnStream()) {
      context.observer.unknownTypeIgnored(connection.server, response.typeUrl());
    } else {
      handle(type, response);
    }
    if (recovered) {
      timers.resume();
      connection.tellUsers();
    }
    maybeRead();
  }

  private <T> void handle(TypeState<T> type, Response response) {
    watchersBusy = true;
    ReadBarrier barrier = new ReadBarrier(() -> onLoop(this::watchersDone));
    try {
      new ResponseHandler<>(connection, context, timers, type, response, barrier)
          .handle(/* beforeWatchers= */ this::flush);
    } finally {
      barrier.release();
    }
    if (type.dueAt() != null) { // something was dropped only after the answer had gone
      context.reviewSoon();
    }
  }

  private void watchersDone() {
    watchersBusy = false;
    maybeRead();
  }

  private boolean resourceTimedOut(Subscription<?> subscription) {
    return ResourceTimeout.apply(subscription.entry, connection, context);
  }

  // Ending.

  @Override
  public void onClosed(Status status) {
    onLoop(
        () -> {
          end();
          connection.ended(this, status);
        });
  }

  void cancel(String reason) {
    end();
    try {
      stream.cancel(reason);
    } catch (Throwable e) {
      context.observer.uncaught(e);
    }
  }

  /**
   * Makes a call to the transport. If that throws, the stream is given up, but only when whoever
   * made the call is done: what a response had to say is not lost over its answer.
   */
  private void guard(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      context.observer.uncaught(e);
      onLoop(() -> connection.broke(this, e));
    }
  }

  private void end() {
    over = true;
    dispatchTimer = cancel(dispatchTimer);
    settleTimer = cancel(settleTimer);
    dueTimer = cancel(dueTimer);
    timers.stopAll();
  }

  /** Whatever a stream has to say after its end is of no interest. */
  private void onLoop(Runnable task) {
    context.loop.execute(
        () -> {
          if (!over) {
            task.run();
          }
        });
  }

  private static TimeSource.@Nullable Timer cancel(TimeSource.@Nullable Timer timer) {
    if (timer != null) {
      timer.cancel();
    }
    return null;
  }
}
