// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An xDS stream on a gRPC call. While the loop handles one request, only one more is read, so a
 * client that floods the server slows down itself.
 */
final class GrpcStreamCall<Q> extends ServerCall.Listener<Optional<Q>> implements ResponseSink {
  private static final Status NOT_A_REQUEST =
      Status.INVALID_ARGUMENT.withDescription("the message is not a discovery request");

  private static final Status FAILED =
      Status.INTERNAL.withDescription("the control plane could not handle a request; see its log");

  private static final Logger LOG = LoggerFactory.getLogger(GrpcStreamCall.class);

  /** The request that the loop handles, and the next one. */
  private static final int MAX_WAITING = 2;

  private final ServerCall<Optional<Q>, ByteString> call;
  private final StreamAcceptor acceptor;
  private final Protocol protocol;
  private final @Nullable ResourceType only;
  private final BiConsumer<StreamHandler, Q> onRequest;
  private final LoopInbox inbox;
  private final ResponseWriter writer;
  private final AtomicInteger waiting = new AtomicInteger();

  // Loop only.
  private @Nullable StreamHandler handler;
  private boolean ended;

  GrpcStreamCall(
      ServerCall<Optional<Q>, ByteString> call,
      StreamAcceptor acceptor,
      LoopInboxes inboxes,
      Protocol protocol,
      @Nullable ResourceType only,
      BiConsumer<StreamHandler, Q> onRequest) {
    this.call = call;
    this.acceptor = acceptor;
    this.protocol = protocol;
    this.only = only;
    this.onRequest = onRequest;
    ConnectionThread thread = call.getAttributes().get(DiscoveryServices.CONNECTION_THREAD);
    this.inbox = inboxes.of(thread);
    this.writer = new ResponseWriter(call, thread == null ? Runnable::run : thread, this::onReady);
  }

  void start() {
    inbox.add(
        () -> {
          if (!ended) {
            handler = acceptor.open(this, protocol, only);
            writer.open();
            call.request(1);
          }
        });
  }

  @Override
  public void onMessage(Optional<Q> request) {
    if (waiting.incrementAndGet() < MAX_WAITING) {
      call.request(1); // free on this thread; from the loop it would have to wake it
    }
    inbox.add(
        () -> {
          if (handler == null || ended) {
            return;
          }
          if (request.isEmpty()) {
            end();
            writer.close(NOT_A_REQUEST);
            return;
          }
          try {
            onRequest.accept(handler, request.get());
          } catch (RuntimeException | StackOverflowError e) {
            // A bug of ours: it must not keep anybody from reading the next request.
            LOG.error("a request from {} could not be handled; its stream ends", address(), e);
            end();
            writer.close(FAILED);
            return;
          }
          if (waiting.getAndDecrement() == MAX_WAITING) {
            call.request(1);
          }
        });
  }

  /** gRPC calls this after each large response; the loop is woken only if it waits for it. */
  @Override
  public void onReady() {
    if (!writer.clearAwaited()) {
      return;
    }
    inbox.add(
        () -> {
          if (handler != null && !ended) {
            handler.onReady();
          }
        });
  }

  @Override
  public void onHalfClose() {
    inbox.add(
        () -> {
          if (!ended) {
            end();
            writer.close(Status.OK);
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
    if (!ended) {
      ended = true;
      if (handler != null) {
        handler.onClosed();
      }
    }
  }

  @Override
  public boolean isReady() {
    return !ended && writer.isReady();
  }

  @Override
  public void send(ByteString response) {
    writer.send(response);
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
