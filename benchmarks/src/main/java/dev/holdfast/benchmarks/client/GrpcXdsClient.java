// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import com.google.common.base.Stopwatch;
import io.grpc.InsecureChannelCredentials;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.internal.ExponentialBackoffPolicy;
import io.grpc.internal.TimeProvider;
import io.grpc.xds.PeerTypes;
import io.grpc.xds.client.Bootstrapper.BootstrapInfo;
import io.grpc.xds.client.Bootstrapper.ServerInfo;
import io.grpc.xds.client.EnvoyProtoData;
import io.grpc.xds.client.XdsClient.ResourceUpdate;
import io.grpc.xds.client.XdsClient.ResourceWatcher;
import io.grpc.xds.client.XdsClientImpl;
import io.grpc.xds.client.XdsClientMetricReporter;
import io.grpc.xds.client.XdsResourceType;
import io.grpc.xds.client.XdsTransportFactory;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * grpc-xds, with its real decoders. Its 4 MiB limit for a response is in its gRPC transport, which
 * is not used here.
 */
final class GrpcXdsClient implements Client {
  private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
  private final Wire wire;
  private final XdsClientImpl client;

  GrpcXdsClient(WireThread thread) {
    wire = new Wire(Protocol.SOTW, thread);
    timers.setRemoveOnCancelPolicy(true); // as gRPC's own timer service is set up
    client =
        new XdsClientImpl(
            server -> new Transport(wire),
            BootstrapInfo.builder()
                .servers(
                    List.of(ServerInfo.create("in-memory", InsecureChannelCredentials.create())))
                .node(EnvoyProtoData.Node.newBuilder().setId("benchmark").build())
                .build(),
            timers,
            new ExponentialBackoffPolicy.Provider(),
            Stopwatch::createUnstarted,
            TimeProvider.SYSTEM_TIME_PROVIDER,
            message -> "",
            /* securityConfig= */ "none",
            new XdsClientMetricReporter() {});
  }

  @Override
  public Wire wire() {
    return wire;
  }

  @Override
  public void watch(Kind kind, String name) {
    switch (kind) {
      case CLUSTER -> watch(PeerTypes.cluster(), name);
      case ENDPOINT -> watch(PeerTypes.endpoint(), name);
    }
  }

  private <T extends ResourceUpdate> void watch(XdsResourceType<T> type, String name) {
    client.watchXdsResource(type, name, new Watcher<>(wire), Runnable::run);
  }

  @Override
  public void close() {
    client.shutdown();
    timers.shutdownNow();
  }

  private record Watcher<T extends ResourceUpdate>(Wire wire) implements ResourceWatcher<T> {
    @Override
    public void onResourceChanged(StatusOr<T> update) {
      if (update.hasValue()) {
        wire.called();
      } else {
        wire.calledWithError(update.getStatus());
      }
    }

    @Override
    public void onAmbientError(Status error) {
      wire.calledWithError(error);
    }
  }

  private record Transport(Wire wire) implements XdsTransportFactory.XdsTransport {
    @Override
    public <ReqT, RespT> XdsTransportFactory.StreamingCall<ReqT, RespT> createStreamingCall(
        String method, Marshaller<ReqT> requests, Marshaller<RespT> responses) {
      return new Call<>(wire, requests, responses);
    }

    @Override
    public void shutdown() {}
  }

  private record Call<ReqT, RespT>(
      Wire wire, Marshaller<ReqT> requests, Marshaller<RespT> responses)
      implements XdsTransportFactory.StreamingCall<ReqT, RespT> {

    @Override
    public void start(XdsTransportFactory.EventHandler<RespT> handler) {
      wire.open(
          new Wire.End() {
            @Override
            public void connected() {
              handler.onReady();
            }

            @Override
            public void receive(InputStream response) {
              handler.onRecvMessage(responses.parse(response));
            }
          });
      wire.allowRead(); // the client leaves the first one to its transport
    }

    @Override
    public void sendMessage(ReqT request) {
      wire.send(requests.stream(request));
    }

    @Override
    public void startRecvMessage() {
      wire.allowRead();
    }

    @Override
    public void sendError(Exception e) {}

    @Override
    public boolean isReady() {
      return wire.isConnected();
    }
  }
}
