// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** One attempt of a call, and its time. Thread-safe. */
final class Attempt<Q, S> extends ClientCall.Listener<S> {
  private static final Metadata.Key<String> PREVIOUS_ATTEMPTS =
      Metadata.Key.of("grpc-previous-rpc-attempts", Metadata.ASCII_STRING_MARSHALLER);

  private final RetryingCall<Q, S> parent;
  private final RouteRetries rules;
  private final int number;
  private final DropMark drop = new DropMark();

  /** Only seen by callbacks, which come one by one. */
  private boolean headersSeen;

  // Guarded by this.
  private @Nullable ClientCall<Q, S> call; // once it was started
  private @Nullable Cancel cancel;
  private @Nullable ScheduledFuture<?> timer;
  private boolean complete;
  private boolean connected;
  private boolean answered;
  private boolean timedOut;
  private long sentBytes;

  private record Cancel(@Nullable String message, @Nullable Throwable cause) {}

  /**
   * @param number from 1
   * @param complete whether the application gave the whole request
   */
  Attempt(RetryingCall<Q, S> parent, RouteRetries rules, int number, boolean complete) {
    this.parent = parent;
    this.rules = rules;
    this.number = number;
    this.complete = complete;
  }

  int number() {
    return number;
  }

  boolean dropped() {
    return drop.dropped();
  }

  /** Whether it was given up for taking too long. */
  synchronized boolean timedOut() {
    return timedOut;
  }

  /** Starts the call of this attempt. */
  ClientCall<Q, S> start(RetryingCall.Target<Q, S> target, Metadata original) {
    CallOptions options =
        target.options().withOption(DropMark.KEY, drop).withStreamTracerFactory(new Tracers());
    Metadata headers = new Metadata(); // a call makes changes to the headers that it is given
    headers.merge(original);
    if (number > 1) {
      headers.put(PREVIOUS_ATTEMPTS, Integer.toString(number - 1));
    }
    ClientCall<Q, S> started = target.next().newCall(target.method(), options);
    started.start(this, headers);
    Cancel waiting;
    synchronized (this) {
      call = started;
      waiting = cancel;
    }
    if (waiting != null) {
      started.cancel(waiting.message(), waiting.cause());
    }
    return started;
  }

  /** The call, as soon as it can be asked anything. */
  synchronized @Nullable ClientCall<Q, S> call() {
    return call;
  }

  /** Calls must not be cancelled before they are started. */
  void cancel(@Nullable String message, @Nullable Throwable cause) {
    ClientCall<Q, S> started;
    synchronized (this) {
      started = call;
      if (started == null) {
        cancel = new Cancel(message, cause);
        return;
      }
    }
    started.cancel(message, cause);
  }

  /** The application gave the whole request. */
  synchronized void complete() {
    complete = true;
    arm();
  }

  private synchronized void connected() {
    connected = true;
    arm();
  }

  /** The time starts anew if gRPC finds another connection for an attempt that was never sent. */
  private synchronized void disconnected() {
    connected = false;
    disarm();
  }

  private synchronized void answered() {
    answered = true;
    disarm();
  }

  private void arm() {
    if (complete && connected && !answered && !timedOut && timer == null) {
      timer = rules.channel().schedule(this::expire, rules.perTryNanos());
    }
  }

  private void disarm() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void expire() {
    synchronized (this) {
      if (timer == null) {
        return;
      }
      timer = null;
      timedOut = true;
    }
    cancel("per-try timeout of " + rules.perTryText() + " exceeded", null);
  }

  private void sent(long bytes) {
    boolean tooMuch;
    synchronized (this) {
      sentBytes += bytes;
      tooMuch = sentBytes > RetryingCall.BUFFER_LIMIT;
    }
    if (tooMuch) {
      parent.commit();
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    answered();
    if (!timedOut()) { // else it is as good as cancelled
      headersSeen = parent.onHeaders(headers);
    }
  }

  @Override
  public void onMessage(S message) {
    if (headersSeen) {
      parent.onMessage(message);
    }
  }

  @Override
  public void onReady() {
    if (!timedOut()) {
      parent.onReady();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    disconnected();
    if (headersSeen) {
      parent.onClose(status, trailers);
    } else {
      parent.onFailure(this, status, trailers);
    }
  }

  /** Sees what happens on the wire, sooner than callbacks that wait for a thread. */
  private final class Tracers extends ClientStreamTracer.Factory {
    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void streamCreated(Attributes transportAttributes, Metadata sentHeaders) {
          connected();
        }

        @Override
        public void outboundWireSize(long bytes) {
          sent(bytes);
        }

        @Override
        public void inboundHeaders() {
          answered();
        }

        @Override
        public void streamClosed(Status status) {
          disconnected();
        }
      };
    }
  }
}
