// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.grpc.MethodDescriptor;
import java.io.InputStream;
import java.util.concurrent.Executor;

/** This project's transport SPI over the {@link Wire}. */
final class HoldfastTransport implements XdsTransport {
  private final Wire wire;
  private final Executor thread;
  private final Listener listener;

  HoldfastTransport(Wire wire, Executor thread, Listener listener) {
    this.wire = wire;
    this.thread = thread;
    this.listener = listener;
  }

  @Override
  public Stream open(AdsProtocol protocol, StreamListener streamListener) {
    return switch (protocol) {
      case SOTW ->
          new WireStream<>(
              AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod(), streamListener);
      case DELTA ->
          new WireStream<>(
              AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod(), streamListener);
    };
  }

  @Override
  public void close() {}

  /** All calls come on the wire's thread, which is the engine's too. */
  private final class WireStream<ReqT extends Message> implements Stream, Wire.End {
    private final MethodDescriptor<ReqT, ?> method;
    private final StreamListener streamListener;
    private boolean sending;

    WireStream(MethodDescriptor<ReqT, ?> method, StreamListener streamListener) {
      this.method = method;
      this.streamListener = streamListener;
      wire.open(this);
    }

    @Override
    @SuppressWarnings("unchecked") // the engine sends what the protocol asks for
    public void send(Message request) {
      wire.send(method.streamRequest((ReqT) request));
      sending = true;
      if (wire.isConnected()) {
        thread.execute(this::sent);
      }
    }

    private void sent() {
      if (sending) {
        sending = false;
        streamListener.onSent();
      }
    }

    @Override
    public void requestNext() {
      wire.allowRead();
    }

    @Override
    public void cancel(String reason) {}

    @Override
    public void connected() {
      listener.onConnected();
      sent();
    }

    /** One copy, as out of the buffers of a real transport; the parsing is the engine's. */
    @Override
    public void receive(InputStream response) {
      byte[] copy = Wire.readFully(response);
      streamListener.onResponse(UnsafeByteOperations.unsafeWrap(copy));
    }
  }
}
