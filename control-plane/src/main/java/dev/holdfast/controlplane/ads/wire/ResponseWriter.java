// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes the responses of a call on the thread of its connection, which gRPC would have to wake
 * anyway. Many threads then write to many streams while the loop handles the requests.
 */
final class ResponseWriter {
  /** As much as gRPC itself buffers before it reports that a call is not ready. */
  private static final int MAX_UNWRITTEN = 32 << 10;

  private final ServerCall<?, ByteString> call;
  private final Executor thread;
  private final Runnable onWritten;
  private final AtomicInteger unwritten = new AtomicInteger();

  /** Whether the loop found this writer not ready and waits for it. */
  private final AtomicBoolean awaited = new AtomicBoolean();

  /**
   * @param onWritten called when the backlog has shrunk and the writer is ready again
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
    return hasRoom(); // it may have become ready before the flag was set
  }

  private boolean hasRoom() {
    return unwritten.get() < MAX_UNWRITTEN && call.isReady();
  }

  /** Clears and returns the waiting flag; called on any thread when the writer is ready. */
  boolean clearAwaited() {
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
          if (left < MAX_UNWRITTEN && left + size >= MAX_UNWRITTEN && call.isReady()) {
            onWritten.run(); // gRPC reports only the end of its own backlog
          }
        });
  }

  void close(Status status) {
    thread.execute(() -> call.close(status, new Metadata()));
  }
}
