// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.grpc.bootstrap.BootstrapException;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.transport.KeepAlive;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.resources.cluster.Cluster;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** E02: channels to the same target share one client, to different targets they do not. */
class ClientPoolTest {
  private static final String BOOTSTRAP =
      """
      {"xds_servers": [{"server_uri": "xds.example:443",
        "channel_creds": [{"type": "insecure"}]}], "node": {"id": "n"}}
      """;

  private final ClientPool pool = new ClientPool(Map.of("GRPC_XDS_BOOTSTRAP_CONFIG", BOOTSTRAP));

  @Test
  void e02SameTargetSameClient() {
    ClientSource.Lease one = pool.lease("xds:///a", XdsOptions.fromEnvironment());
    ClientSource.Lease two = pool.lease("xds:///a", XdsOptions.fromEnvironment());
    ClientSource.Lease other = pool.lease("xds:///b", XdsOptions.fromEnvironment());
    assertThat(two.client()).isSameAs(one.client());
    assertThat(two.types()).isSameAs(one.types());
    assertThat(other.client()).isNotSameAs(one.client());
    assertThat(one.bootstrap().node().getId()).isEqualTo("n");
    one.close();
    two.close();
    other.close();
  }

  @Test
  void theClientLivesUntilTheLastLeaseIsGivenBack() {
    ClientSource.Lease one = pool.lease("xds:///a", XdsOptions.fromEnvironment());
    ClientSource.Lease two = pool.lease("xds:///a", XdsOptions.fromEnvironment());
    one.close();
    one.close();
    ClientSource.Lease three = pool.lease("xds:///a", XdsOptions.fromEnvironment());
    assertThat(three.client()).isSameAs(two.client());
    two.close();
    three.close();
    ClientSource.Lease four = pool.lease("xds:///a", XdsOptions.fromEnvironment());
    assertThat(four.client()).isNotSameAs(two.client());
    four.close();
  }

  @Test
  void optionsMustBeEqualForAClientToBeShared() {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder().server(ServerConfig.insecure("xds.example:443")).build();
    XdsOptions delta = XdsOptions.of(bootstrap).withProtocol(AdsProtocol.DELTA);
    ClientSource.Lease one = pool.lease("xds:///a", XdsOptions.of(bootstrap));
    ClientSource.Lease two = pool.lease("xds:///a", XdsOptions.of(bootstrap));
    ClientSource.Lease three = pool.lease("xds:///a", delta);
    ClientSource.Lease four = pool.lease("xds:///a", delta);
    assertThat(two.client()).isSameAs(one.client());
    assertThat(three.client()).isNotSameAs(one.client());
    assertThat(four.client()).isSameAs(three.client());
    one.close();
    two.close();
    three.close();
    four.close();
  }

  @Test
  void anObserverHearsOfWhatTheClientDoes() throws Exception {
    CompletableFuture<ServerConfig> started = new CompletableFuture<>();
    XdsClientObserver observer =
        new XdsClientObserver() {
          @Override
          public void streamStarted(ServerConfig server) {
            started.complete(server);
          }
        };
    try (FakeAdsServer server = FakeAdsServer.start()) {
      ServerConfig config = ServerConfig.insecure(server.uri());
      XdsOptions options =
          XdsOptions.of(XdsBootstrap.builder().server(config).build())
              .withKeepAlive(new KeepAlive(Duration.ofSeconds(10), Duration.ofSeconds(1)))
              .withObserver(observer);
      try (ClientSource.Lease lease = pool.lease("xds:///a", options)) {
        lease.client().watch(lease.types().cluster(), "c", new Indifferent());
        assertThat(started.get(30, TimeUnit.SECONDS)).isEqualTo(config);
      }
    }
  }

  private static final class Indifferent implements ResourceWatcher<Cluster> {
    @Override
    public void onResourceChanged(StatusOr<Resource<Cluster>> resource) {}

    @Override
    public void onAmbientError(Status status) {}
  }

  @Test
  void withoutABootstrapThereIsNoClient() {
    ClientPool empty = new ClientPool(Map.of());
    assertThatThrownBy(() -> empty.lease("xds:///a", XdsOptions.fromEnvironment()))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("GRPC_XDS_BOOTSTRAP");
  }
}
