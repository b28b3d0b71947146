// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.testkit.envoy.AdsTransport;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Streams between fake Envoys and a control plane that comes and goes: messages arrive in order,
 * each as a task of its own, and what is under way is lost with either end.
 */
final class Wiring implements AdsTransport {
  private final Executor executor;
  private final List<Line> lines = new ArrayList<>();
  private @Nullable ServerServiceDefinition server;
  private boolean clogged;

  Wiring(Executor executor) {
    this.executor = executor;
  }

  /** From now on streams lead to these services. */
  void connect(List<ServerServiceDefinition> services) {
    server =
        services.stream()
            .filter(
                service ->
                    service
                        .getServiceDescriptor()
                        .getName()
                        .equals(AggregatedDiscoveryServiceGrpc.SERVICE_NAME))
            .findFirst()
            .orElseThrow();
  }

  /** The server is gone, and all streams end. */
  void cut() {
    server = null;
    List.copyOf(lines).forEach(Line::lose);
  }

  /** Streams take no more responses for now, or do again. */
  void clog(boolean how) {
    clogged = how;
    if (!clogged) {
      lines.forEach(line -> executor.execute(line.listener::onReady));
    }
  }

  @Override
  public Stream open(boolean delta, Receiver receiver) {
    if (server == null) {
      executor.execute(receiver::onEnd);
      return new Nowhere();
    }
    String method =
        (delta
                ? AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()
                : AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod())
            .getFullMethodName();
    @SuppressWarnings("unchecked") // it reads its own requests
    ServerMethodDefinition<Object, ByteString> definition =
        (ServerMethodDefinition<Object, ByteString>) server.getMethod(method);
    return new Line(definition, delta, receiver);
  }

  private static final class Nowhere implements Stream {
    @Override
    public void send(Message request) {}

    @Override
    public void cancel() {}
  }

  /** Both ends of a stream. */
  private final class Line extends ServerCall<Object, ByteString> implements Stream {
    private final MethodDescriptor<Object, ByteString> method;
    private final boolean delta;
    private final Receiver receiver;
    private final Listener<Object> listener;
    private boolean over;

    Line(ServerMethodDefinition<Object, ByteString> definition, boolean delta, Receiver receiver) {
      this.method = definition.getMethodDescriptor();
      this.delta = delta;
      this.receiver = receiver;
      this.listener = definition.getServerCallHandler().startCall(this, new Metadata());
      lines.add(this);
    }

    @Override
    public void send(Message request) {
      executor.execute(
          () -> {
            if (!over) {
              listener.onMessage(method.parseRequest(request.toByteString().newInput()));
            }
          });
    }

    @Override
    public void cancel() {
      end();
      listener.onCancel();
    }

    void lose() {
      end();
      executor.execute(receiver::onEnd);
    }

    private void end() {
      over = true;
      lines.remove(this);
    }

    @Override
    public void sendMessage(ByteString message) {
      Message response = parse(message);
      executor.execute(
          () -> {
            if (!over) {
              receiver.onResponse(response);
            }
          });
    }

    private Message parse(ByteString message) {
      try {
        return delta
            ? DeltaDiscoveryResponse.parseFrom(message)
            : DiscoveryResponse.parseFrom(message);
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      lose();
    }

    @Override
    public void request(int numMessages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public boolean isReady() {
      return !clogged;
    }

    @Override
    public boolean isCancelled() {
      return over;
    }

    @Override
    public MethodDescriptor<Object, ByteString> getMethodDescriptor() {
      return method;
    }
  }
}
