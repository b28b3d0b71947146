// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A process that serves CSDS, by one of its methods or none. */
final class FakeCsds implements AutoCloseable {
  private final Server server;

  private FakeCsds(BindableService service) throws IOException {
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .addService(service)
            .build()
            .start();
  }

  static FakeCsds unary(ClientStatusResponse response) throws IOException {
    return new FakeCsds(
        () ->
            ServerServiceDefinition.builder(ClientStatusDiscoveryServiceGrpc.SERVICE_NAME)
                .addMethod(
                    ClientStatusDiscoveryServiceGrpc.getFetchClientStatusMethod(),
                    ServerCalls.asyncUnaryCall(
                        (request, observer) -> {
                          observer.onNext(response);
                          observer.onCompleted();
                        }))
                .build());
  }

  static FakeCsds streaming(ClientStatusResponse response) throws IOException {
    return new FakeCsds(
        () ->
            ServerServiceDefinition.builder(ClientStatusDiscoveryServiceGrpc.SERVICE_NAME)
                .addMethod(
                    ClientStatusDiscoveryServiceGrpc.getStreamClientStatusMethod(),
                    ServerCalls.asyncBidiStreamingCall(
                        observer -> new Answering(response, observer)))
                .build());
  }

  /** Never answers. */
  static FakeCsds silent() throws IOException {
    return new FakeCsds(
        () ->
            ServerServiceDefinition.builder(ClientStatusDiscoveryServiceGrpc.SERVICE_NAME)
                .addMethod(
                    ClientStatusDiscoveryServiceGrpc.getFetchClientStatusMethod(),
                    ServerCalls.asyncUnaryCall((request, observer) -> {}))
                .build());
  }

  /** A gRPC server, but without CSDS. */
  static FakeCsds missing() throws IOException {
    return new FakeCsds(() -> ServerServiceDefinition.builder("some.Other").build());
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private record Answering(
      ClientStatusResponse response, StreamObserver<ClientStatusResponse> observer)
      implements StreamObserver<ClientStatusRequest> {
    @Override
    public void onNext(ClientStatusRequest request) {
      observer.onNext(response);
    }

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onCompleted() {
      observer.onCompleted();
    }
  }
}
