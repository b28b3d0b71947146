// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static dev.holdfast.grpc.resolver.Mesh.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What channels share, and what is left of them. */
class ChannelLifeTest {
  @Test
  void e02ChannelsToOneTargetShareAStreamThatEndsWithTheLastOfThem() throws Exception {
    try (Mesh mesh = new Mesh();
        Backend backend = new Backend("one")) {
      ManagedChannel first = mesh.channel();
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream =
          mesh.serveAll(Resources.routesTo("r", "c"), backend);
      assertThat(call(first, "S/M")).isEqualTo("one");

      ManagedChannel second = mesh.channel();
      assertThat(call(second, "S/M")).isEqualTo("one");
      assertThat(mesh.control.streamCount()).isEqualTo(1);

      first.shutdown();
      assertThat(first.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      assertThat(call(second, "S/M")).isEqualTo("one");
      second.shutdown();
      assertThat(stream.awaitEnd()).isIn("cancelled", "half-closed");
    }
  }

  @Test
  void channelThatGoesIdleLetsGoOfTheControlPlaneAndComesBack() throws Exception {
    try (Mesh mesh = new Mesh();
        Backend backend = new Backend("one")) {
      ManagedChannel channel = mesh.channel();
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream =
          mesh.serveAll(Resources.routesTo("r", "c"), backend);
      assertThat(call(channel, "S/M")).isEqualTo("one");
      channel.enterIdle();
      assertThat(stream.awaitEnd()).isIn("cancelled", "half-closed");

      CompletableFuture<String> call = Mesh.start(channel, "S/M", CallOptions.DEFAULT);
      mesh.serveAll(Resources.routesTo("r", "c"), backend);
      assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("one");
    }
  }

  @Test
  void csdsShowsTheClientOfAChannelByItsTarget() {
    try (Mesh mesh = new Mesh();
        Backend backend = new Backend("one")) {
      ManagedChannel channel = mesh.channel();
      mesh.serveAll(Resources.routesTo("r", "c"), backend);
      assertThat(call(channel, "S/M")).isEqualTo("one");

      ManagedChannel operator =
          mesh.open(
              Grpc.newChannelBuilder(mesh.control.uri(), InsecureChannelCredentials.create()));
      List<ClientConfig> shown =
          ClientStatusDiscoveryServiceGrpc.newBlockingStub(operator)
              .fetchClientStatus(ClientStatusRequest.getDefaultInstance())
              .getConfigList();
      assertThat(shown).hasSize(1);
      assertThat(shown.get(0).getClientScope()).isEqualTo("xds:///svc");
      assertThat(shown.get(0).getGenericXdsConfigsList())
          .extracting(GenericXdsConfig::getName)
          .containsExactlyInAnyOrder("svc", "r", "c", "c");
    }
  }

  @Test
  void hostsOfClustersAreLookedUpByTheChannelsOwnDns() throws Exception {
    try (Mesh mesh = new Mesh();
        Backend backend = new Backend("one")) {
      ManagedChannel channel = mesh.channel();
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
      mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
      mesh.serve(stream, "r", Resources.routesTo("r", "c"));
      mesh.serve(
          stream,
          "c",
          Resources.cluster(
              """
              {"name": "c", "type": "LOGICAL_DNS", "lb_policy": "ROUND_ROBIN",
               "load_assignment": {"cluster_name": "x", "endpoints": [{"lb_endpoints": [
                 {"endpoint": {"address": {"socket_address":
                   {"address": "127.0.0.1", "port_value": %d}}}}]}]}}
              """
                  .formatted(backend.port())));
      assertThat(call(channel, "S/M")).isEqualTo("one");
      channel.shutdown();
      assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void channelWithoutABootstrapIsBuiltAndItsCallsSayWhatIsMissing() {
    assumeTrue(
        System.getenv("GRPC_XDS_BOOTSTRAP") == null
            && System.getenv("GRPC_XDS_BOOTSTRAP_CONFIG") == null);
    ManagedChannel channel =
        Grpc.newChannelBuilder("xds:///svc", InsecureChannelCredentials.create()).build();
    try {
      Status status =
          Mesh.failure(channel, "S/M", CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription())
          .startsWith("target xds:///svc: no xDS client: ")
          .contains("GRPC_XDS_BOOTSTRAP");
    } finally {
      channel.shutdownNow();
    }
  }
}
