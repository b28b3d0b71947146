// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc.ClientStatusDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** What every proxy was sent and said of it, one ClientConfig each. Without secrets. */
public final class CsdsService extends ClientStatusDiscoveryServiceImplBase {
  private final Reports reports;

  public CsdsService(Reports reports) {
    this.reports = reports;
  }

  @Override
  public void fetchClientStatus(
      ClientStatusRequest request, StreamObserver<ClientStatusResponse> responses) {
    answer(request)
        .whenComplete(
            (response, error) -> {
              if (error != null) {
                responses.onError(describe(error));
              } else {
                responses.onNext(response);
                responses.onCompleted();
              }
            });
  }

  /** One answer per request, in order; the next request is read when the answer was given. */
  @Override
  public StreamObserver<ClientStatusRequest> streamClientStatus(
      StreamObserver<ClientStatusResponse> responses) {
    ServerCallStreamObserver<ClientStatusResponse> call =
        (ServerCallStreamObserver<ClientStatusResponse>) responses;
    call.disableAutoRequest();
    call.request(1);
    return new Requests(call);
  }

  private final class Requests implements StreamObserver<ClientStatusRequest> {
    private final ServerCallStreamObserver<ClientStatusResponse> call;
    private CompletionStage<?> last = CompletableFuture.completedFuture(null);

    Requests(ServerCallStreamObserver<ClientStatusResponse> call) {
      this.call = call;
    }

    @Override
    public void onNext(ClientStatusRequest request) {
      last =
          answer(request)
              .whenComplete(
                  (response, error) -> {
                    if (error != null) {
                      call.onError(describe(error));
                    } else if (!call.isCancelled()) {
                      call.onNext(response);
                      call.request(1);
                    }
                  });
    }

    @Override
    public void onError(Throwable error) {
      // The caller went away; there is nobody to tell.
    }

    @Override
    public void onCompleted() {
      last.thenRun(call::onCompleted);
    }
  }

  private CompletionStage<ClientStatusResponse> answer(ClientStatusRequest request) {
    Predicate<String> nodes;
    try {
      nodes = NodeMatch.of(request.getNodeMatchersList());
    } catch (StatusException e) {
      return CompletableFuture.failedFuture(e);
    }
    ClientConfigs.Contents contents =
        request.getExcludeResourceContents()
            ? ClientConfigs.Contents.LEFT_OUT
            : ClientConfigs.Contents.REDACTED;
    return reports
        .proxies()
        .thenCombine(
            reports.resources(),
            (proxies, resources) -> response(proxies, resources, contents, nodes));
  }

  private static ClientStatusResponse response(
      List<ProxyReport> proxies,
      List<ResourceReport> resources,
      ClientConfigs.Contents contents,
      Predicate<String> nodes) {
    ClientConfigs configs = new ClientConfigs(resources, contents);
    ClientStatusResponse.Builder response = ClientStatusResponse.newBuilder();
    for (ProxyReport proxy : proxies) {
      if (nodes.test(proxy.node())) {
        response.addConfig(configs.of(proxy));
      }
    }
    return response.build();
  }

  private static Throwable describe(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof StatusException
        ? cause
        : Status.INTERNAL.withDescription("the control plane gave no answer").asException();
  }
}
