// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.XdsClientBuilder;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Recorder;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.resources.cluster.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The samples of docs/client.md do what is said of them. */
class ClientSampleTest {
  // docs/client.md begins
  record CartWatcher(Consumer<String> log) implements ResourceWatcher<Cluster> {
    @Override
    public void onResourceChanged(StatusOr<Resource<Cluster>> cluster) {
      log.accept(
          cluster.hasValue()
              ? "use " + cluster.getValue().value().discovery()
              : "there is none to use: " + cluster.getStatus().getDescription());
    }

    @Override
    public void onAmbientError(Status status) {
      log.accept(
          status.isOk() ? "all is well again" : "still in use, but: " + status.getDescription());
    }
  }

  // docs/client.md ends

  // docs/client.md begins
  static XdsClient watchCart(String server, ResourceWatcher<Cluster> watcher) {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder().nodeId("shop-1").server(ServerConfig.insecure(server)).build();
    XdsClient client = XdsClientBuilder.forBootstrap(bootstrap).build();
    client.watch(XdsTypes.of(bootstrap, System.getenv()).cluster(), "shop/cart/8080", watcher);
    return client; // closing it ends all watches and streams
  }

  // docs/client.md ends

  private final Recorder<String> log = new Recorder<>("line");

  @Test
  void theSampleKeepsAClusterWhoseUpdateIsBad() {
    try (FakeAdsServer server = FakeAdsServer.start()) {
      XdsClient client = watchCart(server.uri(), new CartWatcher(log::add));
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();

      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "1", "a")
              .with(Resources.edsCluster("shop/cart/8080"))
              .build());
      assertThat(log.next()).startsWith("use ").contains("cart");

      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "2", "b")
              .with(Resources.cluster("{\"name\": \"shop/cart/8080\", \"type\": \"ORIGINAL_DST\"}"))
              .build());
      assertThat(log.next())
          .startsWith("still in use, but: CDS resource shop/cart/8080: invalid: type: ");

      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "3", "c")
              .with(Resources.edsCluster("shop/cart/8080"))
              .build());
      assertThat(log.next()).isEqualTo("all is well again");

      client.close();
      assertThat(stream.awaitEnd()).isEqualTo("cancelled");
    }
  }
}
