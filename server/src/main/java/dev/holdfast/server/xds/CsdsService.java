// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
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
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What every proxy was sent and said of it, one ClientConfig each. Without secrets. */
public final class CsdsService extends ClientStatusDiscoveryServiceImplBase {
  private static final long LARGEST_RESPONSE = 256 << 20;
  private static final int MOST_WAITING = 16;

  private final Reports reports;
  private final Executor worker;

  public CsdsService(Reports reports) {
    this(reports, oneThread());
  }

  /**
   * @param worker puts answers together: that takes long for a large fleet, and the loop that the
   *     reports come from has better things to do
   */
  CsdsService(Reports reports, Executor worker) {
    this.reports = reports;
    this.worker = worker;
  }

  /** One answer at a time is in memory, whoever asks. */
  private static Executor oneThread() {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread worker = new Thread(task, "holdfast-csds");
              worker.setDaemon(true);
              return worker;
            });
    thread.allowCoreThreadTimeOut(true);
    return thread;
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
    try {
      return reports
          .proxies()
          .thenCombineAsync(
              reports.resources(),
              (proxies, resources) -> response(proxies, resources, contents, nodes),
              worker);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static ClientStatusResponse response(
      List<ProxyReport> proxies,
      List<ResourceReport> resources,
      ClientConfigs.Contents contents,
      Predicate<String> nodes) {
    ClientConfigs configs = new ClientConfigs(resources, contents);
    ClientStatusResponse.Builder response = ClientStatusResponse.newBuilder();
    long size = 0;
    for (ProxyReport proxy : proxies) {
      if (nodes.test(proxy.node())) {
        ClientConfig config = configs.of(proxy);
        size += config.getSerializedSize();
        if (size > LARGEST_RESPONSE) {
          throw new CompletionException(
              Status.RESOURCE_EXHAUSTED
                  .withDescription(
                      "the response is too large (expected: exclude_resource_contents, or"
                          + " node_matchers for fewer proxies)")
                  .asException());
        }
        response.addConfig(config);
      }
    }
    return response.build();
  }

  private static Throwable describe(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (cause instanceof RejectedExecutionException) {
      return Status.RESOURCE_EXHAUSTED
          .withDescription("too many concurrent requests")
          .asException();
    }
    return cause instanceof StatusException
        ? cause
        : Status.INTERNAL.withDescription("the control plane failed to answer").asException();
  }
}
