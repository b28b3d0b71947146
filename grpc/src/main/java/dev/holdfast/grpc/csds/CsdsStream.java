// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.csds;

import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/**
 * One stream of questions. They are answered one by one: the next is not even read before the
 * answer to the last is written, so that a client that asks faster than it listens only slows
 * itself.
 */
final class CsdsStream implements StreamObserver<ClientStatusRequest> {
  private final CsdsService service;
  private final ServerCallStreamObserver<ClientStatusResponse> responses;

  /** The answer to the last question, and all before it. Touched by gRPC's callbacks only. */
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

  CsdsStream(CsdsService service, ServerCallStreamObserver<ClientStatusResponse> responses) {
    this.service = service;
    this.responses = responses;
    responses.disableAutoRequest();
    responses.setOnCancelHandler(() -> {}); // Lets answers to nobody be dropped without fuss.
    responses.request(1);
  }

  @Override
  public void onNext(ClientStatusRequest request) {
    last =
        last.thenCompose(done -> service.answer(request))
            .whenComplete(
                (response, error) -> {
                  if (error == null) {
                    responses.onNext(response);
                    responses.request(1);
                  } else {
                    responses.onError(CsdsService.toStatus(error).asRuntimeException());
                  }
                });
  }

  @Override
  public void onError(Throwable t) {
    // The client is gone.
  }

  @Override
  public void onCompleted() {
    last =
        last.whenComplete(
            (done, error) -> {
              if (error == null) {
                responses.onCompleted();
              }
            });
  }
}
