// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import com.google.protobuf.ByteString;
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
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A hostile client: keeps a number of streams open, opens another one for each that the server
 * ends, and has each of them say what its kind says.
 */
final class Flood implements AutoCloseable {
  private static final int CONNECTIONS = 8;
  private static final ByteString SHORT_TEXT = ByteString.copyFromUtf8("no");
  private static final ByteString LONG_TEXT = ByteString.copyFromUtf8("(\"'x{\\".repeat(500_000));
  private static final byte[] HUGE_ID =
      DeltaDiscoveryRequest.newBuilder()
          .setNode(Node.newBuilder().setId("x".repeat(8 << 20)))
          .setTypeUrl(TypeUrls.CLUSTER)
          .build()
          .toByteArray();
  private static final byte[] MILLION_NAMES = names(1_000_000);
  private static final byte[] ALLOWED_NAMES = names(19_000);

  private static byte[] names(int count) {
    DeltaDiscoveryRequest.Builder request =
        DeltaDiscoveryRequest.newBuilder().setTypeUrl(TypeUrls.ROUTE_CONFIGURATION);
    request.getNodeBuilder().setUserAgentName("hostile");
    for (int i = 0; i < count; i++) {
      request.addResourceNamesSubscribe("r" + i);
    }
    return request.build().toByteArray();
  }

  /** What the streams of a flood do. */
  enum Kind {
    /** Eight megabytes of node id. */
    HUGE_NODE_IDS(51),
    /** A million names, and as many as are allowed, again and again. */
    MANY_NAMES(20),
    /** Everything is rejected at once, and again under the same nonce. */
    NACK_STORM(50),
    /** Everything is rejected in four megabytes of words. */
    LONG_ERROR_TEXTS(20),
    /** Small requests, as fast as they can be written. */
    REQUEST_STORM(20),
    /** Opened, one request, closed. */
    OPENED_AND_CLOSED(20),
    /** Opened, and nothing else. */
    HALF_OPEN(1_500);

    final int streams;

    Kind(int streams) {
      this.streams = streams;
    }
  }

  private final Kind kind;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong said = new AtomicLong();
  private final SortedMap<String, Integer> ends = new TreeMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  Flood(Kind kind, int port) {
    this.kind = kind;
    for (int i = 0; i < CONNECTIONS; i++) {
      channels.add(
          Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
              .maxInboundMessageSize(64 << 20)
              .build());
    }
    int threadsWanted = 2;
    for (int i = 0; i < threadsWanted; i++) {
      int share = kind.streams / threadsWanted;
      Thread thread = new Thread(() -> run(share), "flood-" + kind);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void run(int share) {
    List<Stream> streams = new ArrayList<>();
    while (!stopped) {
      streams.removeIf(stream -> stream.over);
      for (int i = streams.size(); i < share && !stopped; i++) {
        streams.add(new Stream());
      }
      streams.forEach(Stream::speak);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** How many streams were opened, how much was said, and how the server ended them. */
  @Override
  public String toString() {
    synchronized (ends) {
      return opened + " streams, " + said + " messages, ended by the server: " + ends;
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private final class Stream extends ClientCall.Listener<byte[]> {
    private final ClientCall<byte[], byte[]> call;
    private final long number = opened.incrementAndGet();
    private volatile boolean over;
    private volatile boolean begun;
    private volatile byte @Nullable [] last;

    Stream() {
      call =
          channels
              .get((int) (number % CONNECTIONS))
              .newCall(
                  Bytes.raw(AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()),
                  CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(1);
    }

    private void send(byte[] message) {
      said.incrementAndGet();
      call.sendMessage(message);
    }

    private DeltaDiscoveryRequest.Builder request(String type) {
      return DeltaDiscoveryRequest.newBuilder()
          .setNode(Node.newBuilder().setId("hostile-" + number).setUserAgentName("hostile"))
          .setTypeUrl(type);
    }

    /** Says something, unless gRPC has not sent what was said before. */
    void speak() {
      if (over || !call.isReady() || (begun && kind == Kind.HALF_OPEN)) {
        return;
      }
      boolean first = !begun;
      begun = true;
      switch (kind) {
        case HUGE_NODE_IDS -> send(HUGE_ID);
        case MANY_NAMES -> send(number % 2 == 0 ? MILLION_NAMES : ALLOWED_NAMES);
        case NACK_STORM, LONG_ERROR_TEXTS -> reject(first);
        case REQUEST_STORM -> {
          for (int i = 0; i < 100; i++) {
            send(
                request(TypeUrls.CLUSTER)
                    .addResourceNamesSubscribe("no-such-" + i)
                    .build()
                    .toByteArray());
          }
        }
        case OPENED_AND_CLOSED -> {
          send(request(TypeUrls.CLUSTER).build().toByteArray());
          over = true;
          call.cancel("enough", null);
        }
        case HALF_OPEN -> {}
      }
    }

    private void reject(boolean first) {
      if (first) {
        send(request(TypeUrls.CLUSTER).build().toByteArray());
        send(request(TypeUrls.LISTENER).build().toByteArray());
      }
      byte[] response = last;
      if (response != null) {
        send(HonestFleet.answer(response, kind == Kind.NACK_STORM ? SHORT_TEXT : LONG_TEXT));
      }
    }

    @Override
    public void onMessage(byte[] response) {
      last = response;
      call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      over = true;
      if (!stopped) {
        String why = status.getCode() + " " + status.getDescription();
        int limit = why.indexOf("limit ");
        synchronized (ends) {
          ends.merge(
              limit < 0 ? status.getCode().toString() : why.substring(limit), 1, Integer::sum);
        }
      }
    }
  }
}
