// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.base.Loop;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * One call of discovery or of load reports. Everything that concerns the call, from either side,
 * runs on a loop of its own: the listener hears events in order, and no state needs a lock.
 *
 * <p>A request has been sent when the call is ready after it was written. A call is ready once it
 * has a place on a connected transport and less than 32 KiB wait to be written. gRPC announces
 * readiness only when it begins, and not at all while it lasts; so it is asked for after each
 * request, and awaited only if it is lacking.
 *
 * <p>A call that is over is never ready again, and gRPC does not say that it is over before the
 * last response is read; the engine in turn reads none before its request is sent. So while a
 * request waits, responses are read ahead, in order to get to the end if there is one.
 */
final class GrpcStream implements XdsTransport.Stream {
  /** More than a call can hold back: the largest flow control window is 8 MiB. */
  private static final int MAX_BYTES_AHEAD = 16 << 20;

  private final Loop loop;
  private final ClientCall<Message, ByteString> call;
  private final XdsTransport.StreamListener listener;

  /** Set from the engine's loop; nothing is reported after that. */
  private volatile boolean cancelled;

  // Loop only.
  private boolean sending;
  private boolean closed;
  private int wanted; // by the engine
  private int requested; // of gRPC
  private final Queue<ByteString> ahead = new ArrayDeque<>();
  private int bytesAhead;

  private GrpcStream(
      Channel channel,
      MethodDescriptor<Message, ByteString> method,
      Executor executor,
      XdsTransport.StreamListener listener) {
    this.listener = listener;
    loop = new Loop(Context.ROOT.fixedContextExecutor(executor), this::abort);
    call = newCall(channel, method, CallOptions.DEFAULT.withExecutor(loop));
  }

  static GrpcStream start(
      Channel channel,
      MethodDescriptor<Message, ByteString> method,
      Executor executor,
      XdsTransport.StreamListener listener) {
    GrpcStream stream = new GrpcStream(channel, method, executor, listener);
    stream.loop.execute(() -> stream.call.start(stream.new Events(), new Metadata()));
    return stream;
  }

  @Override
  public void send(Message request) {
    loop.execute(
        () -> {
          if (isOpen()) {
            sending = true;
            call.sendMessage(request);
            reportIfSent();
            read();
          }
        });
  }

  @Override
  public void requestNext() {
    loop.execute(
        () -> {
          if (isOpen()) {
            wanted++;
            read();
          }
        });
  }

  private void read() {
    while (wanted > 0 && !ahead.isEmpty()) {
      ByteString response = ahead.remove();
      bytesAhead -= response.size();
      wanted--;
      listener.onResponse(response);
    }
    if (requested < wanted || (requested == 0 && sending && bytesAhead < MAX_BYTES_AHEAD)) {
      requested++;
      call.request(1);
    }
  }

  @Override
  public void cancel(String reason) {
    cancelled = true;
    loop.execute(() -> call.cancel(reason, /* cause= */ null));
  }

  private boolean isOpen() {
    return !cancelled && !closed;
  }

  private void reportIfSent() {
    if (sending && call.isReady()) {
      sending = false;
      listener.onSent();
    }
  }

  /** A request that cannot be written, or a listener that throws, must not go unnoticed. */
  private void abort(Throwable error) {
    call.cancel("the stream cannot go on: " + error, error);
  }

  /** Whoever happens to open the stream, its deadline and cancellation are not the stream's. */
  private static ClientCall<Message, ByteString> newCall(
      Channel channel, MethodDescriptor<Message, ByteString> method, CallOptions options) {
    Context caller = Context.ROOT.attach();
    try {
      return channel.newCall(method, options);
    } finally {
      Context.ROOT.detach(caller);
    }
  }

  private final class Events extends ClientCall.Listener<ByteString> {
    @Override
    public void onReady() {
      if (isOpen()) {
        reportIfSent();
      }
    }

    @Override
    public void onMessage(ByteString response) {
      if (isOpen()) {
        requested--;
        ahead.add(response);
        bytesAhead += response.size();
        read();
      }
    }

    /** Responses that were read ahead are of no use any more: the next stream has them again. */
    @Override
    public void onClose(Status status, Metadata trailers) {
      if (isOpen()) {
        closed = true;
        listener.onClosed(StatusText.withCauses(status));
      }
    }
  }
}
