// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.csds.ClientRegistry;
import dev.holdfast.grpc.csds.CsdsService;
import dev.holdfast.testkit.DeltaResponse;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.BackoffPolicy;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.resources.cluster.Cluster;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole client against a server on a socket. */
class XdsClientBuilderTest {
  private static final Message GOOD = Resources.edsCluster("c");

  private final ClientRegistry registry = new ClientRegistry();
  private final FakeAdsServer server =
      FakeAdsServer.start(builder -> builder.addService(new CsdsService(registry)));
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final SdkMeterProvider meters =
      SdkMeterProvider.builder().registerMetricReader(metrics).build();
  private final XdsTypes types = new XdsTypes();
  private final Watched<Cluster> watched = new Watched<>();

  @AfterEach
  void close() {
    server.close();
    meters.close();
  }

  @Test
  void watchesSurvivesAnOutageAndHeals() {
    try (XdsClient client = builder().build()) {
      client.watch(types.cluster(), "c", watched);
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
      DiscoveryRequest first = stream.awaitRequest();
      assertThat(first.getResourceNamesList()).containsExactly("c");
      assertThat(first.getNode().getUserAgentName()).isEqualTo("holdfast-java");
      stream.send(SotwResponse.of(TypeUrls.CLUSTER, "1", "n1").with(GOOD).build());
      assertThat(watched.next()).isEqualTo("c 1");
      assertThat(stream.awaitRequest().getResponseNonce()).isEqualTo("n1");

      server.stop();
      assertThat(watched.next()).isEqualTo("ambient UNAVAILABLE");
      assertThat(watched.lastError()).contains(server.uri(), "Connection refused", "node-1");

      server.restart();
      FakeStream<DiscoveryRequest, DiscoveryResponse> again = server.awaitStream();
      assertThat(again.awaitRequest().getVersionInfo()).isEqualTo("1");
      again.send(SotwResponse.of(TypeUrls.CLUSTER, "1", "m1").with(GOOD).build());
      assertThat(watched.next()).isEqualTo("ambient OK");
    }
  }

  @Test
  void speaksTheIncrementalProtocol() {
    try (XdsClient client = builder().protocol(AdsProtocol.DELTA).build()) {
      client.watch(types.cluster(), "c", watched);
      FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream = server.awaitDeltaStream();
      assertThat(stream.awaitRequest().getResourceNamesSubscribeList()).containsExactly("c");
      stream.send(DeltaResponse.of(TypeUrls.CLUSTER, "1", "n1").with("c", "1", GOOD).build());
      assertThat(watched.next()).isEqualTo("c 1");

      stream.send(DeltaResponse.of(TypeUrls.CLUSTER, "2", "n2").without("c").build());
      assertThat(watched.next()).isEqualTo("ambient NOT_FOUND");
    }
  }

  @Test
  void e90CsdsAndMetricsShowWhatTheWatcherKnows() {
    ManagedChannel channel =
        Grpc.newChannelBuilder(server.uri(), InsecureChannelCredentials.create()).build();
    try (XdsClient client =
        builder().registry(registry).metrics(meters.get("dev.holdfast")).build()) {
      client.watch(types.cluster(), "c", watched);
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "1", "n1")
              .withError("c", Status.Code.PERMISSION_DENIED, "not yours")
              .build());
      assertThat(watched.next()).isEqualTo("error PERMISSION_DENIED");

      ClientConfig shown = csds(channel).get(0);
      assertThat(shown.getClientScope()).isEqualTo("xds:///shop");
      assertThat(shown.getNode().getId()).isEqualTo("node-1");
      ClientConfig.GenericXdsConfig config = shown.getGenericXdsConfigs(0);
      assertThat(config.getClientStatus()).isEqualTo(ClientResourceStatus.RECEIVED_ERROR);
      assertThat(config.getErrorState().getDetails()).contains("PERMISSION_DENIED", "not yours");
      assertThat(metrics.collectAllMetrics().toString())
          .contains("received_error", "xds:///shop", "grpc.xds.authority=\"#old\"");
    }
    assertThat(csds(channel)).isEmpty();
    assertThat(metrics.collectAllMetrics())
        .extracting(MetricData::getName)
        .doesNotContain("grpc.xds_client.resources", "grpc.xds_client.connected");
    channel.shutdownNow();
  }

  @Test
  void acceptsResponsesUpToTheLimitItWasGiven() {
    try (XdsClient client = builder().maxInboundMessageSize(1 << 16).build()) {
      client.watch(types.cluster(), "c", watched);
      Message large = Resources.edsCluster("x".repeat(1 << 17));
      server.awaitStream().send(SotwResponse.of(TypeUrls.CLUSTER, "1", "n").with(large).build());

      assertThat(watched.next()).isEqualTo("error UNAVAILABLE");
      assertThat(watched.lastError()).contains("RESOURCE_EXHAUSTED", "65536");
    }
  }

  private XdsClientBuilder builder() {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder().nodeId("node-1").server(ServerConfig.insecure(server.uri())).build();
    BackoffPolicy impatient =
        new BackoffPolicy(Duration.ofMillis(50), 1.6, Duration.ofMillis(500), 0);
    return XdsClientBuilder.forBootstrap(bootstrap)
        .target("xds:///shop")
        .behaviour(Behaviour.defaults().withBackoff(impatient))
        .logging();
  }

  private static List<ClientConfig> csds(ManagedChannel channel) {
    return ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel)
        .fetchClientStatus(ClientStatusRequest.getDefaultInstance())
        .getConfigList();
  }
}
