// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where a call's responses go out: on the thread of its connection, which would have to be woken
 * anyway. Many streams are so written by many threads, and the loop is free for what comes back.
 */
final class ResponseWriter {
  /** As much as gRPC itself lets pile up before it says that it is not ready. */
  private static final int MOST_UNWRITTEN = 32 << 10;

  private final ServerCall<?, ByteString> call;
  private final Executor thread;
  private final Runnable onWritten;
  private final AtomicInteger unwritten = new AtomicInteger();

  /** Somebody found it not ready, and waits until it is. */
  private final AtomicBoolean awaited = new AtomicBoolean();

  /**
   * @param onWritten called when it is ready again after it was not, because much was unwritten
   */
  ResponseWriter(ServerCall<?, ByteString> call, Executor thread, Runnable onWritten) {
    this.call = call;
    this.thread = thread;
    this.onWritten = onWritten;
  }

  boolean isReady() {
    if (hasRoom()) {
      return true;
    }
    awaited.set(true);
    return hasRoom(); // it may have become ready before that was known
  }

  private boolean hasRoom() {
    return unwritten.get() < MOST_UNWRITTEN && call.isReady();
  }

  /** Whether somebody waited for it to be ready; asked when it is, on any thread. */
  boolean takeAwaited() {
    return awaited.get() && awaited.getAndSet(false);
  }

  void open() {
    thread.execute(() -> call.sendHeaders(new Metadata()));
  }

  void send(ByteString response) {
    int size = response.size();
    unwritten.addAndGet(size);
    thread.execute(
        () -> {
          call.sendMessage(response);
          int left = unwritten.addAndGet(-size);
          if (left < MOST_UNWRITTEN && left + size >= MOST_UNWRITTEN && call.isReady()) {
            onWritten.run(); // gRPC calls only those who found it not ready itself
          }
        });
  }

  void close(Status status) {
    thread.execute(() -> call.close(status, new Metadata()));
  }
}
