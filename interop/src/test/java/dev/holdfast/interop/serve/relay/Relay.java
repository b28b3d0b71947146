// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.relay;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Stands between Envoy and a control plane: passes on what they say, message by message, and no
 * more than it is allowed to. What comes then, from either side, waits. It is never full, so that
 * nobody waits for it.
 */
public final class Relay implements AutoCloseable {
  private final IntSupplier target;
  private final Server server;
  // All guarded by this, and so is every call.
  private final Set<RelayedStream> streams = new LinkedHashSet<>();
  private final List<Message> passed = new ArrayList<>();
  private final List<Message> seen = new ArrayList<>();
  private final ArrayDeque<Message> waiting = new ArrayDeque<>();
  private int allowed = Integer.MAX_VALUE;
  private int opened;

  /**
   * @param target the port of the control plane on this machine, whenever it is to be called
   */
  public Relay(IntSupplier target) {
    this.target = target;
    try {
      server =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  InsecureServerCredentials.create())
              .addService(
                  ServerServiceDefinition.builder(AggregatedDiscoveryServiceGrpc.SERVICE_NAME)
                      .addMethod(
                          Bytes.raw(
                              AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod()),
                          (call, headers) -> open(call, /* delta= */ false))
                      .addMethod(
                          Bytes.raw(
                              AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()),
                          (call, headers) -> open(call, /* delta= */ true))
                      .build())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where Envoy finds it. */
  public int port() {
    return server.getPort();
  }

  /** Forgets what was said, and lets only so many messages through from now on. */
  public synchronized void allow(int messages) {
    passed.clear();
    seen.clear();
    allowed = messages;
  }

  /** Whether as many went through as may, and one more has come. */
  public synchronized boolean isHolding() {
    return !waiting.isEmpty();
  }

  /** What went through. */
  public synchronized List<Message> passed() {
    return List.copyOf(passed);
  }

  /**
   * The server is gone, and with it every stream and what waited in it. Whatever comes from now on
   * is let through.
   */
  public synchronized void cut() {
    List.copyOf(streams).forEach(stream -> stream.end(Status.UNAVAILABLE));
    waiting.clear();
    allowed = Integer.MAX_VALUE;
  }

  /**
   * How often each resource was sent that was refused. Of a response that brought several at once
   * nobody can say which one it was.
   */
  public synchronized List<Integer> sendingsOfRefused() {
    return refused(seen).stream().map(this::sendings).toList();
  }

  private int sendings(ByteString resource) {
    return (int) passed.stream().filter(message -> message.resources().contains(resource)).count();
  }

  /**
   * What the server sent although it had heard on that stream that this was refused. One that ended
   * may have done so before it had read or written down the last words of Envoy.
   */
  public synchronized List<Message> sentAgain() {
    List<Message> again = new ArrayList<>();
    for (int i = 0; i < passed.size(); i++) {
      Message message = passed.get(i);
      Set<ByteString> heard =
          refused(
              passed.subList(0, i).stream()
                  .filter(earlier -> earlier.stream() == message.stream())
                  .toList());
      if (message.resources().stream().anyMatch(heard::contains)) {
        again.add(message);
      }
    }
    return again;
  }

  /** What these messages say no to. */
  private Set<ByteString> refused(List<Message> messages) {
    Set<ByteString> refused = new LinkedHashSet<>();
    for (Message answer : messages) {
      for (Message response : passed) {
        if (answer.refuses(response) && response.resources().size() == 1) {
          refused.addAll(response.resources());
        }
      }
    }
    return refused;
  }

  private synchronized ServerCall.Listener<byte[]> open(
      ServerCall<byte[], byte[]> call, boolean delta) {
    RelayedStream stream = new RelayedStream(this, ++opened, delta, call, target.getAsInt());
    streams.add(stream);
    stream.start();
    return stream;
  }

  /** Passes a message on, if that is allowed. */
  synchronized void pass(Message message, Runnable send) {
    seen.add(message);
    if (passed.size() < allowed) {
      passed.add(message);
      send.run();
    } else {
      waiting.add(message); // until the stream ends
    }
  }

  synchronized void ended(RelayedStream stream) {
    streams.remove(stream);
  }

  @Override
  public void close() {
    server.shutdownNow();
    cut();
  }
}
