// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.util.ForwardingClientStreamTracer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many calls are under way: from when a stream is made for a pick to when that stream ends. A
 * pick that leads to no stream is not counted, since nothing would tell that it is over.
 */
public final class Outstanding {
  private final AtomicLong count = new AtomicLong();
  private final ClientStreamTracer.Factory alone = new Factory(null);

  public long count() {
    return count.get();
  }

  /** Counts the streams that it sees; passes them on to the other factory if there is one. */
  public ClientStreamTracer.Factory counting(ClientStreamTracer.@Nullable Factory other) {
    return other == null ? alone : new Factory(other);
  }

  private final class Factory extends ClientStreamTracer.Factory {
    private final ClientStreamTracer.@Nullable Factory other;

    Factory(ClientStreamTracer.@Nullable Factory other) {
      this.other = other;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      ClientStreamTracer tracer =
          other == null
              ? new Tracer()
              : new ForwardingTracer(other.newClientStreamTracer(info, headers));
      count.incrementAndGet();
      return tracer;
    }
  }

  private final class Tracer extends ClientStreamTracer {
    @Override
    public void streamClosed(Status status) {
      count.decrementAndGet();
    }
  }

  private final class ForwardingTracer extends ForwardingClientStreamTracer {
    private final ClientStreamTracer delegate;

    ForwardingTracer(ClientStreamTracer delegate) {
      this.delegate = delegate;
    }

    @Override
    protected ClientStreamTracer delegate() {
      return delegate;
    }

    @Override
    public void streamClosed(Status status) {
      count.decrementAndGet();
      delegate.streamClosed(status);
    }
  }
}
