// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt as a channel would make it. What is cancelled ends at once. */
final class FakeAttempt extends ClientCall<String, String> {
  static final Attributes.Key<String> NAME = Attributes.Key.create("name");

  final CallOptions options;
  final Context context = Context.current();

  /** What was done with it, in order. */
  final List<String> steps = new ArrayList<>();

  Metadata headers = new Metadata();
  boolean ready;
  boolean closed;

  /** Whether it does not say that it ended when it is cancelled, until the test does. */
  boolean slowToCancel;

  private final boolean connecting;
  private final Consumer<FakeAttempt> onStart;
  private @Nullable Listener<String> listener;
  private @Nullable ClientStreamTracer tracer;

  FakeAttempt(CallOptions options, boolean connecting, Consumer<FakeAttempt> onStart) {
    this.options = options;
    this.connecting = connecting;
    this.onStart = onStart;
  }

  @Override
  public void start(Listener<String> responses, Metadata sent) {
    if (listener != null) {
      throw new IllegalStateException("started twice");
    }
    listener = responses;
    headers = sent;
    if (connecting) {
      connect();
    }
    onStart.accept(this);
  }

  /** A connection was found for it. */
  void connect() {
    tracer =
        options
            .getStreamTracerFactories()
            .get(0)
            .newClientStreamTracer(
                ClientStreamTracer.StreamInfo.newBuilder().setCallOptions(options).build(),
                headers);
    tracer.streamCreated(Attributes.EMPTY, headers);
  }

  /** The connection broke before anything was sent; gRPC may connect it again by itself. */
  void disconnect() {
    tracer().streamClosed(Status.UNAVAILABLE);
  }

  void wireSize(long bytes) {
    tracer().outboundWireSize(bytes);
  }

  /** Headers arrive, which callbacks hear of later. */
  void headersOnTheWire() {
    tracer().inboundHeaders();
  }

  void onHeaders() {
    headersOnTheWire();
    listener().onHeaders(new Metadata());
  }

  void onMessage(String message) {
    listener().onMessage(message);
  }

  void onReady() {
    ready = true;
    listener().onReady();
  }

  void close(Status status, String... trailers) {
    closed = true;
    if (tracer != null) {
      tracer.streamClosed(status);
    }
    Metadata sent = new Metadata();
    for (int i = 0; i < trailers.length; i += 2) {
      sent.put(Metadata.Key.of(trailers[i], Metadata.ASCII_STRING_MARSHALLER), trailers[i + 1]);
    }
    listener().onClose(status, sent);
  }

  private Listener<String> listener() {
    if (listener == null) {
      throw new IllegalStateException("not started");
    }
    return listener;
  }

  private ClientStreamTracer tracer() {
    if (tracer == null) {
      throw new IllegalStateException("not connected");
    }
    return tracer;
  }

  @Nullable String header(String name) {
    return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    listener(); // must be started
    steps.add("cancel " + message);
    if (!closed && !slowToCancel) {
      close(Status.CANCELLED.withDescription(message).withCause(cause));
    }
  }

  @Override
  public void request(int count) {
    steps.add("request " + count);
  }

  @Override
  public void halfClose() {
    steps.add("halfClose");
  }

  @Override
  public void sendMessage(String message) {
    if (message.equals("bad")) {
      throw new IllegalStateException("bad message");
    }
    steps.add("send " + message);
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    steps.add("compress " + enabled);
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public Attributes getAttributes() {
    return Attributes.newBuilder().set(NAME, "attempt").build();
  }
}
