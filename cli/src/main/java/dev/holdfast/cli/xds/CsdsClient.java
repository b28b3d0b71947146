// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.CommandException;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Asks a process for the state of its xDS clients (gRFC A40), once, without encryption. */
final class CsdsClient {
  /** A large client's whole configuration comes in one message. */
  private static final int LARGEST_RESPONSE = 512 << 20;

  private final HostPort server;
  private final Duration timeout;

  CsdsClient(HostPort server, Duration timeout) {
    this.server = server;
    this.timeout = timeout;
  }

  /**
   * @throws CommandException with a message for the user if there is no answer
   */
  ClientStatusResponse fetch() {
    ManagedChannel channel =
        Grpc.newChannelBuilder(server.toString(), InsecureChannelCredentials.create())
            .maxInboundMessageSize(LARGEST_RESPONSE)
            .build();
    Deadline deadline = Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS);
    try {
      return fetch(channel, CallOptions.DEFAULT.withDeadline(deadline));
    } catch (StatusRuntimeException e) {
      throw new CommandException(describe(e.getStatus()), e);
    } finally {
      channel.shutdownNow();
    }
  }

  /** Some servers implement only the unary method, some only the streaming one. */
  private static ClientStatusResponse fetch(Channel channel, CallOptions options) {
    try {
      return ClientCalls.blockingUnaryCall(
          channel,
          ClientStatusDiscoveryServiceGrpc.getFetchClientStatusMethod(),
          options,
          ClientStatusRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
        throw e;
      }
      return firstOfStream(channel, options);
    }
  }

  private static ClientStatusResponse firstOfStream(Channel channel, CallOptions options) {
    CompletableFuture<ClientStatusResponse> first = new CompletableFuture<>();
    Context.CancellableContext context = Context.current().withCancellation();
    Context previous = context.attach();
    try {
      StreamObserver<ClientStatusRequest> requests =
          ClientCalls.asyncBidiStreamingCall(
              channel.newCall(
                  ClientStatusDiscoveryServiceGrpc.getStreamClientStatusMethod(), options),
              new First(first));
      requests.onNext(ClientStatusRequest.getDefaultInstance());
      return first.join();
    } catch (CompletionException e) {
      throw Status.fromThrowable(e).asRuntimeException();
    } finally {
      context.detach(previous);
      context.cancel(null);
    }
  }

  private record First(CompletableFuture<ClientStatusResponse> first)
      implements StreamObserver<ClientStatusResponse> {
    @Override
    public void onNext(ClientStatusResponse response) {
      first.complete(response);
    }

    @Override
    public void onError(Throwable error) {
      first.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
      first.completeExceptionally(
          Status.UNAVAILABLE.withDescription("the stream ended without a response").asException());
    }
  }

  private String describe(Status status) {
    return switch (status.getCode()) {
      case UNIMPLEMENTED ->
          server
              + " does not serve CSDS (expected: a gRPC server with "
              + ClientStatusDiscoveryServiceGrpc.SERVICE_NAME
              + ")";
      case DEADLINE_EXCEEDED ->
          "no answer from "
              + server
              + " within "
              + timeout.toMillis() / 1000.0
              + " s (--timeout allows for more)";
      case UNAVAILABLE -> "cannot reach " + server + ": " + reason(status);
      default -> server + " does not tell its state: " + status.getCode() + ": " + reason(status);
    };
  }

  private static String reason(Status status) {
    if (status.getCause() != null) {
      return RootCause.innermost(status.getCause());
    }
    return status.getDescription() == null ? status.getCode().name() : status.getDescription();
  }
}
