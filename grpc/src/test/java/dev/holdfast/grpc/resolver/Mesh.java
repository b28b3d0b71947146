// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import com.google.protobuf.Message;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.csds.ClientRegistry;
import dev.holdfast.grpc.csds.CsdsService;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeLoadService;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A control plane that the test speaks for, and channels to {@code xds:///svc}. */
final class Mesh implements AutoCloseable {
  final ClientRegistry registry = new ClientRegistry();
  final FakeLoadService loads = new FakeLoadService();
  final FakeAdsServer control =
      FakeAdsServer.start(
          builder -> builder.addService(new CsdsService(registry)).addService(loads));
  final XdsOptions options;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private int nonce;

  Mesh(ServerFeature... features) {
    options =
        XdsOptions.of(
                XdsBootstrap.builder()
                    .nodeId("node-1")
                    .server(ServerConfig.insecure(control.uri(), features))
                    .build())
            .withRegistry(registry);
  }

  ManagedChannelBuilder<?> builder() {
    return builder(options);
  }

  ManagedChannelBuilder<?> builder(XdsOptions other) {
    return HoldfastChannel.forTarget("xds:///svc", InsecureChannelCredentials.create(), other);
  }

  ManagedChannel channel() {
    return open(builder());
  }

  ManagedChannel open(ManagedChannelBuilder<?> builder) {
    ManagedChannel channel = builder.build();
    channels.add(channel);
    channel.getState(/* requestConnection= */ true);
    return channel;
  }

  /** The stream of a client that has asked for its listener. */
  FakeStream<DiscoveryRequest, DiscoveryResponse> awaitStream() {
    return control.awaitStream();
  }

  /** Waits until a type is asked for by name, then sends it. */
  void serve(
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream, String name, Message... resources) {
    String type = TypeUrls.of(resources[0]);
    stream.awaitRequests(
        requests ->
            requests.stream()
                .anyMatch(
                    request ->
                        request.getTypeUrl().equals(type)
                            && request.getResourceNamesList().contains(name)));
    send(stream, type, resources);
  }

  void send(
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream, String type, Message... resources) {
    nonce++;
    stream.send(SotwResponse.of(type, "" + nonce, "n" + nonce).with(resources).build());
  }

  /** Everything for calls to one backend. */
  FakeStream<DiscoveryRequest, DiscoveryResponse> serveAll(Message routes, Backend backend) {
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = awaitStream();
    serve(stream, "svc", Resources.apiListener("svc", "r"));
    serve(stream, "r", routes);
    serve(stream, "c", Resources.edsCluster("c"));
    serve(stream, "c", Resources.endpoints("c", backend.port()));
    return stream;
  }

  static String call(ManagedChannel channel, String method) {
    return call(channel, method, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
  }

  static String call(ManagedChannel channel, String method, CallOptions options) {
    return ClientCalls.blockingUnaryCall(channel, Backend.method(method), options, "");
  }

  /** The status of a call that is to fail. */
  static Status failure(ManagedChannel channel, String method) {
    return failure(channel, method, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
  }

  static Status failure(ManagedChannel channel, String method, CallOptions options) {
    try {
      throw new AssertionError("the call worked: " + call(channel, method, options));
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  /** Starts a call and goes on. */
  static CompletableFuture<String> start(
      ManagedChannel channel, String method, CallOptions options) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    ClientCall<String, String> call = channel.newCall(Backend.method(method), options);
    ClientCalls.asyncUnaryCall(
        call,
        "",
        new StreamObserver<>() {
          @Override
          public void onNext(String value) {
            answer.complete(value);
          }

          @Override
          public void onError(Throwable t) {
            answer.completeExceptionally(t);
          }

          @Override
          public void onCompleted() {}
        });
    return answer;
  }

  static CallOptions waiting() {
    return CallOptions.DEFAULT.withWaitForReady().withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    control.close();
  }
}
