// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Empty;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.security.HoldfastChannelCredentials;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.ServerConfig;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The samples of README.md and docs/calls.md do what is said of them. */
class CallsSampleTest {
  // README.md begins
  static ManagedChannel shop(String server) {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder().nodeId("shop-1").server(ServerConfig.insecure(server)).build();
    return HoldfastChannel.forTarget("xds:///shop.example.com", bootstrap).build();
  }

  // README.md ends

  // docs/calls.md begins
  static ManagedChannel shop() {
    return Grpc.newChannelBuilder("xds:///shop.example.com", InsecureChannelCredentials.create())
        .build();
  }

  // docs/calls.md ends

  // docs/calls.md begins
  static ManagedChannel shopOf(String server) {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder().nodeId("shop-1").server(ServerConfig.insecure(server)).build();
    return HoldfastChannel.forTarget("xds:///shop.example.com", bootstrap).build();
  }

  // docs/calls.md ends

  // docs/calls.md begins
  static ManagedChannel secureShop() {
    return Grpc.newChannelBuilder(
            "xds:///shop.example.com",
            HoldfastChannelCredentials.create(InsecureChannelCredentials.create()))
        .build();
  }

  // docs/calls.md ends

  private static final MethodDescriptor<Empty, Empty> METHOD =
      MethodDescriptor.newBuilder(
              ProtoUtils.marshaller(Empty.getDefaultInstance()),
              ProtoUtils.marshaller(Empty.getDefaultInstance()))
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("shop.Cart/Open")
          .build();

  private static Status call(ManagedChannel channel, CallOptions options) {
    try {
      ClientCalls.blockingUnaryCall(
          channel,
          METHOD,
          options.withDeadlineAfter(60, TimeUnit.SECONDS),
          Empty.getDefaultInstance());
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  @Test
  void aCallIsToldWhyItFailsAndOneThatWaitsReachesTheService() {
    try (FakeAdsServer server = FakeAdsServer.start()) {
      ManagedChannel channel = shop(server.uri());
      ManagedChannel same = shopOf(server.uri());
      CompletableFuture<Status> told =
          CompletableFuture.supplyAsync(() -> call(channel, CallOptions.DEFAULT));
      CompletableFuture<Status> waited =
          CompletableFuture.supplyAsync(() -> call(same, CallOptions.DEFAULT.withWaitForReady()));
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();

      stream.send(
          SotwResponse.of(TypeUrls.LISTENER, "1", "a")
              .withError("shop.example.com", Status.Code.NOT_FOUND, "there is no such host")
              .build());
      assertThat(told.join().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(told.join().getDescription())
          .contains("LDS resource shop.example.com: ", "there is no such host", "node ID:shop-1");

      stream.send(
          SotwResponse.of(TypeUrls.LISTENER, "2", "b")
              .with(Resources.apiListener("shop.example.com", "routes"))
              .build());
      stream.send(
          SotwResponse.of(TypeUrls.ROUTE_CONFIGURATION, "1", "c")
              .with(Resources.routesTo("routes", "cart"))
              .build());
      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "1", "d").with(Resources.edsCluster("cart")).build());
      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "1", "e")
              .with(Resources.endpoints("cart", server.port()))
              .build());
      // The only server here is that of the control plane, which has no such method.
      assertThat(waited.join().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
      assertThat(server.streamCount()).as("streams of two channels to one target").isEqualTo(1);
      channel.shutdownNow();
      same.shutdownNow();
      assertThat(stream.awaitEnd()).isEqualTo("cancelled");
    }
  }

  @Test
  void withoutABootstrapThatIsWhatCallsAreTold() {
    for (ManagedChannel channel : List.of(shop(), secureShop())) {
      Status status = call(channel, CallOptions.DEFAULT);
      channel.shutdownNow();
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription()).contains("xds:///shop.example.com", "GRPC_XDS_BOOTSTRAP");
    }
  }
}
