// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.trace;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.util.ForwardingClientStreamTracer;
import org.jspecify.annotations.Nullable;

/** Sees streams begin and end, and passes them on to whoever else traces them. */
public abstract class StreamLifetimes extends ClientStreamTracer.Factory {
  private final ClientStreamTracer.@Nullable Factory other;

  protected StreamLifetimes(ClientStreamTracer.@Nullable Factory other) {
    this.other = other;
  }

  protected abstract void began();

  protected abstract void ended(Status status);

  @Override
  public final ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    ClientStreamTracer tracer =
        other == null
            ? new Tracer()
            : new ForwardingTracer(other.newClientStreamTracer(info, headers));
    began();
    return tracer;
  }

  private final class Tracer extends ClientStreamTracer {
    @Override
    public void streamClosed(Status status) {
      ended(status);
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
      ended(status);
      delegate.streamClosed(status);
    }
  }
}
