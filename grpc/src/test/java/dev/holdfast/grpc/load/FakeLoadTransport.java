// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import com.google.protobuf.Message;
import dev.holdfast.grpc.transport.LoadReportTransport;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** A connection on which a test is the server. */
public final class FakeLoadTransport implements LoadReportTransport {
  final List<FakeLoadStream> streams = new ArrayList<>();
  public boolean closed;

  @Override
  public XdsTransport.Stream open(XdsTransport.StreamListener listener) {
    FakeLoadStream stream = new FakeLoadStream(listener);
    streams.add(stream);
    return stream;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** The newest stream. */
  FakeLoadStream stream() {
    return streams.get(streams.size() - 1);
  }

  /** The server's end of one stream. */
  public static final class FakeLoadStream implements XdsTransport.Stream {
    private final XdsTransport.StreamListener listener;
    final List<LoadStatsRequest> requests = new ArrayList<>();
    boolean stuck;
    boolean cancelled;

    FakeLoadStream(XdsTransport.StreamListener listener) {
      this.listener = listener;
    }

    @Override
    public void send(Message request) {
      requests.add((LoadStatsRequest) request);
      if (!stuck) {
        listener.onSent();
      }
    }

    /** The server reads again. */
    void unstick() {
      stuck = false;
      listener.onSent();
    }

    @Override
    public void requestNext() {}

    @Override
    public void cancel(String reason) {
      cancelled = true;
    }

    public void respond(LoadStatsResponse response) {
      listener.onResponse(response.toByteString());
    }

    void close(Status status) {
      listener.onClosed(status);
    }
  }
}
