// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.holdfast.interop.serve.relay.Bytes;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Streams that ask for what an Envoy asks for, and accept whatever they get. */
final class HonestFleet implements AutoCloseable {
  private static final int STREAMS_PER_CONNECTION = 20;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Queue<Status> ended = new ConcurrentLinkedQueue<>();
  private final AtomicLong responses = new AtomicLong();
  private volatile boolean closed;

  HonestFleet(int port, int streams) {
    ManagedChannel channel = null;
    for (int i = 0; i < streams; i++) {
      if (channel == null || i % STREAMS_PER_CONNECTION == 0) {
        channel =
            Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
                .maxInboundMessageSize(64 << 20)
                .build();
        channels.add(channel);
      }
      new Stream(channel, "honest-" + i);
    }
  }

  /** How the server ended streams, which it never should. */
  List<Status> ended() {
    return List.copyOf(ended);
  }

  long responses() {
    return responses.get();
  }

  @Override
  public void close() {
    closed = true;
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private final class Stream extends ClientCall.Listener<byte[]> {
    private final ClientCall<byte[], byte[]> call;

    Stream(ManagedChannel channel, String node) {
      call =
          channel.newCall(
              Bytes.raw(AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()),
              CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(1);
      Node who = Node.newBuilder().setId(node).setUserAgentName("envoy").build();
      subscribe(TypeUrls.CLUSTER, "*", who);
      subscribe(TypeUrls.LISTENER, "*", who);
      subscribe(TypeUrls.ROUTE_CONFIGURATION, "ingress_http", who);
    }

    private void subscribe(String type, String name, Node node) {
      call.sendMessage(
          DeltaDiscoveryRequest.newBuilder()
              .setNode(node)
              .setTypeUrl(type)
              .addResourceNamesSubscribe(name)
              .build()
              .toByteArray());
    }

    @Override
    public void onMessage(byte[] response) {
      responses.incrementAndGet();
      call.sendMessage(answer(response, null));
      call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!closed) {
        ended.add(status);
      }
    }
  }

  /** An ACK of a Delta response, or a NACK, without looking at its resources. */
  static byte[] answer(byte[] response, @Nullable ByteString error) {
    DeltaDiscoveryRequest.Builder request = DeltaDiscoveryRequest.newBuilder();
    try {
      CodedInputStream in = CodedInputStream.newInstance(response);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 4 -> request.setTypeUrl(in.readStringRequireUtf8());
          case 5 -> request.setResponseNonce(in.readStringRequireUtf8());
          default -> in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (error != null) {
      request.setErrorDetail(com.google.rpc.Status.newBuilder().setCode(13).setMessageBytes(error));
    }
    return request.build().toByteArray();
  }
}
