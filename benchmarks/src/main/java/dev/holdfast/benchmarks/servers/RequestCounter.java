// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.concurrent.TimeUnit;

/** Counts the requests that reached a server, all streams together. */
public final class RequestCounter implements ServerInterceptor {
  private static final long PATIENCE_SECONDS = 120;

  private long count;
  private long awaited = Long.MAX_VALUE;

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onMessage(Q message) {
        super.onMessage(message);
        arrived();
      }
    };
  }

  private synchronized void arrived() {
    count++;
    if (count >= awaited) {
      notifyAll();
    }
  }

  public synchronized long count() {
    return count;
  }

  /** Waits until so many arrived since the server began. */
  public synchronized void await(long expected) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    awaited = expected;
    try {
      while (count < expected) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new IllegalStateException(count + " requests (expected: " + expected + ")");
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    } finally {
      awaited = Long.MAX_VALUE;
    }
  }
}
