// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.orca;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.util.ForwardingClientStreamTracer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reports that come with the answers to calls. Several who want to hear of a call's
 * report are joined, so that it is decoded once (gRFC A51).
 */
public final class CallReports extends ClientStreamTracer.Factory {
  static final Metadata.Key<byte[]> TRAILER =
      Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final Consumer<OrcaLoadReport> listener;
  private final ClientStreamTracer.@Nullable Factory other;

  private CallReports(
      Consumer<OrcaLoadReport> listener, ClientStreamTracer.@Nullable Factory other) {
    this.listener = listener;
    this.other = other;
  }

  /**
   * Tells of the report of each stream, on the thread that reads it.
   *
   * @param other who else traces the stream
   */
  public static CallReports to(
      Consumer<OrcaLoadReport> listener, ClientStreamTracer.@Nullable Factory other) {
    return other instanceof CallReports joined
        ? new CallReports(joined.listener.andThen(listener), joined.other)
        : new CallReports(listener, other);
  }

  /** The same, for streams that somebody else traces, too. */
  public CallReports besides(ClientStreamTracer.@Nullable Factory another) {
    return another == null ? this : to(listener, another);
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    return other == null
        ? new Tracer(listener)
        : new ForwardingTracer(listener, other.newClientStreamTracer(info, headers));
  }

  private static void read(Metadata trailers, Consumer<OrcaLoadReport> listener) {
    byte[] bytes = trailers.get(TRAILER);
    if (bytes == null) {
      return;
    }
    OrcaLoadReport report;
    try {
      report = OrcaLoadReport.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      return; // the call is not to suffer from what its server says beside the answer
    }
    listener.accept(report);
  }

  private static final class Tracer extends ClientStreamTracer {
    private final Consumer<OrcaLoadReport> listener;

    Tracer(Consumer<OrcaLoadReport> listener) {
      this.listener = listener;
    }

    @Override
    public void inboundTrailers(Metadata trailers) {
      read(trailers, listener);
    }
  }

  private static final class ForwardingTracer extends ForwardingClientStreamTracer {
    private final Consumer<OrcaLoadReport> listener;
    private final ClientStreamTracer delegate;

    ForwardingTracer(Consumer<OrcaLoadReport> listener, ClientStreamTracer delegate) {
      this.listener = listener;
      this.delegate = delegate;
    }

    @Override
    protected ClientStreamTracer delegate() {
      return delegate;
    }

    @Override
    public void inboundTrailers(Metadata trailers) {
      read(trailers, listener);
      delegate.inboundTrailers(trailers);
    }
  }
}
