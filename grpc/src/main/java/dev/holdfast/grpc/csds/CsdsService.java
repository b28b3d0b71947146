// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.csds;

import dev.holdfast.xds.client.XdsClient;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc.ClientStatusDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The client status discovery service (gRFC A40) over all clients of a registry. No thread ever
 * waits: an answer is written when the clients have told their part.
 */
public final class CsdsService extends ClientStatusDiscoveryServiceImplBase {
  private final ClientRegistry clients;

  /** Shows the clients that are in {@code clients} at the time of each request. */
  public CsdsService(ClientRegistry clients) {
    this.clients = clients;
  }

  /** Shows one client. */
  public CsdsService(Node node, XdsClient client) {
    this(new ClientRegistry());
    ClientRegistry.Registration unused = clients.add(/* scope= */ "", node, client);
  }

  @Override
  public void fetchClientStatus(
      ClientStatusRequest request, StreamObserver<ClientStatusResponse> responses) {
    ((ServerCallStreamObserver<ClientStatusResponse>) responses).setOnCancelHandler(() -> {});
    CompletableFuture<?> unused =
        answer(request)
            .whenComplete(
                (response, error) -> {
                  if (error != null) {
                    responses.onError(toStatus(error).asRuntimeException());
                  } else {
                    responses.onNext(response);
                    responses.onCompleted();
                  }
                });
  }

  @Override
  public StreamObserver<ClientStatusRequest> streamClientStatus(
      StreamObserver<ClientStatusResponse> responses) {
    return new CsdsStream(this, (ServerCallStreamObserver<ClientStatusResponse>) responses);
  }

  /** Completes with a {@link Status} as exception if there is no answer. */
  CompletableFuture<ClientStatusResponse> answer(ClientStatusRequest request) {
    if (request.getNodeMatchersCount() > 0) {
      return CompletableFuture.failedFuture(
          Status.INVALID_ARGUMENT
              .withDescription(
                  "node_matchers: %d (expected: none, a client shows only itself)"
                      .formatted(request.getNodeMatchersCount()))
              .asRuntimeException());
    }
    List<CompletableFuture<Optional<ClientConfig>>> parts = new ArrayList<>();
    for (ClientRegistry.Entry entry : clients.entries()) {
      parts.add(describe(entry, request.getExcludeResourceContents()));
    }
    return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            all -> {
              ClientStatusResponse.Builder response = ClientStatusResponse.newBuilder();
              parts.forEach(part -> part.join().ifPresent(response::addConfig));
              return response.build();
            });
  }

  static Status toStatus(Throwable error) {
    Status status = Status.fromThrowable(error);
    return status.getCode() == Status.Code.UNKNOWN
        ? Status.INTERNAL.withDescription("a client cannot be shown: " + error).withCause(error)
        : status;
  }

  /** A client that was closed in the meantime is not an error; it is just not there. */
  private CompletableFuture<Optional<ClientConfig>> describe(
      ClientRegistry.Entry entry, boolean withoutContents) {
    return entry
        .client
        .dump()
        .thenApply(
            resources ->
                Optional.of(ClientConfigs.of(entry.scope, entry.node, resources, withoutContents)))
        .exceptionallyCompose(
            error ->
                clients.has(entry)
                    ? CompletableFuture.failedFuture(error)
                    : CompletableFuture.completedFuture(Optional.empty()))
        .toCompletableFuture();
  }
}
