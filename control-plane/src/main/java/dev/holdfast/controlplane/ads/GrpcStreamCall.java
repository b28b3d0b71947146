// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.grpc.Grpc;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC call as a stream of a stream. While the loop is not done with a request, one more is read
 * and no other, so one who floods the server waits for himself.
 */
final class GrpcStreamCall<Q> extends ServerCall.Listener<Optional<Q>> implements ResponseSink {
  private static final Status NO_REQUEST =
      Status.INVALID_ARGUMENT.withDescription("the message is no discovery request");

  /** One is with the loop and one waits: the next is there when the loop has time for it. */
  private static final int MOST_WAITING = 2;

  private final ServerCall<Optional<Q>, ByteString> call;
  private final AdsServer server;
  private final Protocol protocol;
  private final @Nullable ResourceType only;
  private final BiConsumer<AdsStream, Q> onRequest;
  private final LoopInbox inbox;
  private final ResponseWriter outlet;
  private final AtomicInteger waiting = new AtomicInteger();

  // Loop only.
  private @Nullable AdsStream stream;
  private boolean over;

  GrpcStreamCall(
      ServerCall<Optional<Q>, ByteString> call,
      AdsServer server,
      LoopInboxes inboxes,
      Protocol protocol,
      @Nullable ResourceType only,
      BiConsumer<AdsStream, Q> onRequest) {
    this.call = call;
    this.server = server;
    this.protocol = protocol;
    this.only = only;
    this.onRequest = onRequest;
    ConnectionThread thread = call.getAttributes().get(DiscoveryServices.CONNECTION_THREAD);
    this.inbox = inboxes.of(thread);
    this.outlet = new ResponseWriter(call, thread == null ? Runnable::run : thread, this::onReady);
  }

  void start() {
    inbox.add(
        () -> {
          if (!over) {
            stream = server.open(this, protocol, only);
            outlet.open();
            call.request(1);
          }
        });
  }

  @Override
  public void onMessage(Optional<Q> request) {
    if (waiting.incrementAndGet() < MOST_WAITING) {
      call.request(1); // from here it costs nothing; from the loop, it wakes this thread
    }
    inbox.add(
        () -> {
          if (stream == null || over) {
            return;
          }
          if (request.isEmpty()) {
            end();
            outlet.close(NO_REQUEST);
            return;
          }
          onRequest.accept(stream, request.get());
          if (waiting.getAndDecrement() == MOST_WAITING) {
            call.request(1);
          }
        });
  }

  /** Each large response has gRPC call this; the loop is woken only if it had more to say. */
  @Override
  public void onReady() {
    if (!outlet.takeAwaited()) {
      return;
    }
    inbox.add(
        () -> {
          if (stream != null && !over) {
            stream.pump();
          }
        });
  }

  @Override
  public void onHalfClose() {
    inbox.add(
        () -> {
          if (!over) {
            end();
            outlet.close(Status.OK);
          }
        });
  }

  @Override
  public void onCancel() {
    inbox.add(this::end);
  }

  @Override
  public void onComplete() {
    inbox.add(this::end);
  }

  private void end() {
    if (!over) {
      over = true;
      if (stream != null) {
        stream.close();
      }
    }
  }

  @Override
  public boolean isReady() {
    return !over && outlet.isReady();
  }

  @Override
  public void send(ByteString response) {
    outlet.send(response);
  }

  @Override
  public String address() {
    SocketAddress remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    if (remote instanceof InetSocketAddress inet && inet.getAddress() != null) {
      return inet.getAddress().getHostAddress() + ":" + inet.getPort();
    }
    return remote == null ? "" : remote.toString();
  }
}
