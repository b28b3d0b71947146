// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import dev.holdfast.grpc.trace.StreamLifetimes;
import io.grpc.ClientStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many calls are under way: from when a stream is made for a pick to when that stream ends. A
 * pick that leads to no stream is not counted, since nothing would tell that it is over.
 */
public final class Outstanding {
  private final AtomicLong count = new AtomicLong();
  private final ClientStreamTracer.Factory alone = new Counting(null);

  public long count() {
    return count.get();
  }

  /** Counts the streams that it sees; passes them on to the other factory if there is one. */
  public ClientStreamTracer.Factory counting(ClientStreamTracer.@Nullable Factory other) {
    return other == null ? alone : new Counting(other);
  }

  private final class Counting extends StreamLifetimes {
    Counting(ClientStreamTracer.@Nullable Factory other) {
      super(other);
    }

    @Override
    protected void began() {
      count.incrementAndGet();
    }

    @Override
    protected void ended(Status status) {
      count.decrementAndGet();
    }
  }
}
