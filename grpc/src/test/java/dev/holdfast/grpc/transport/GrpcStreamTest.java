// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static dev.holdfast.grpc.transport.Events.SENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.testkit.DeltaResponse;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Context;
import io.grpc.Status;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One stream over a socket. */
class GrpcStreamTest {
  private final FakeAdsServer server = FakeAdsServer.start();
  private final Events events = new Events();
  private final XdsTransport transport =
      GrpcTransportFactory.create(Env.system()).create(ServerConfig.insecure(server.uri()), events);

  @AfterEach
  void close() {
    transport.close();
    server.close();
  }

  @Test
  void carriesStateOfTheWorldMessages() {
    XdsTransport.Stream stream = transport.open(AdsProtocol.SOTW, events);
    DiscoveryRequest request = request(TypeUrls.CLUSTER);
    stream.send(request);
    assertThat(events.next()).isEqualTo(SENT);

    FakeStream<DiscoveryRequest, DiscoveryResponse> peer = server.awaitStream();
    assertThat(peer.awaitRequest()).isEqualTo(request);
    DiscoveryResponse response = response("1");
    peer.send(response);
    stream.requestNext();
    assertThat(events.next()).isEqualTo(response.toByteString());
  }

  @Test
  void carriesIncrementalMessages() {
    XdsTransport.Stream stream = transport.open(AdsProtocol.DELTA, events);
    DeltaDiscoveryRequest request =
        DeltaDiscoveryRequest.newBuilder().addResourceNamesSubscribe("a").build();
    stream.send(request);
    assertThat(events.next()).isEqualTo(SENT);

    FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> peer = server.awaitDeltaStream();
    assertThat(peer.awaitRequest()).isEqualTo(request);
    DeltaDiscoveryResponse response =
        DeltaResponse.of(TypeUrls.CLUSTER, "1", "n")
            .with("a", "1", Resources.edsCluster("a"))
            .build();
    peer.send(response);
    stream.requestNext();
    assertThat(events.next()).isEqualTo(response.toByteString());
  }

  @Test
  void deliversNothingUnasked() {
    XdsTransport.Stream stream = transport.open(AdsProtocol.SOTW, events);
    FakeStream<DiscoveryRequest, DiscoveryResponse> peer = server.awaitStream();
    peer.send(response("1"));
    peer.send(response("2"));
    stream.requestNext();
    assertThat(events.next()).isEqualTo(response("1").toByteString());

    // What comes later on the same connection shows that the second response has long arrived.
    Events other = new Events();
    XdsTransport.Stream later = transport.open(AdsProtocol.SOTW, other);
    server.awaitStream().send(response("3"));
    later.requestNext();
    assertThat(other.next()).isEqualTo(response("3").toByteString());
    assertThat(events.ofStream().unread()).isEmpty();

    stream.requestNext();
    assertThat(events.next()).isEqualTo(response("2").toByteString());
  }

  @Test
  void reportsEveryRequestAsSentWhateverItsSize() {
    XdsTransport.Stream stream = transport.open(AdsProtocol.SOTW, events);
    FakeStream<DiscoveryRequest, DiscoveryResponse> peer = server.awaitStream();

    // Readiness ends at 32 KiB of unwritten bytes: below, around, above, far above, and back.
    for (int size : new int[] {10, 32_000, 32 << 10, 40_000, 10, 5 << 20, 40_000, 40_000, 1}) {
      DiscoveryRequest request = request("x".repeat(size));
      stream.send(request);
      assertThat(events.next()).isEqualTo(SENT);
      assertThat(peer.awaitRequest()).isEqualTo(request);
    }
    assertThat(events.ofStream().unread()).isEmpty();
  }

  @Test
  void reportsALargeFirstRequestThatWasGivenBeforeThereWasAConnection() {
    XdsTransport.Stream stream = transport.open(AdsProtocol.SOTW, events);
    stream.send(request("x".repeat(40_000)));

    assertThat(events.next()).isEqualTo(SENT);
    assertThat(server.awaitStream().awaitRequest().getTypeUrl()).hasSize(40_000);
    assertThat(events.ofStream().unread()).isEmpty();
  }

  @Test
  void acceptsResponsesFarAboveTheLimitOfGrpc() {
    XdsTransport.Stream stream = transport.open(AdsProtocol.SOTW, events);
    stream.requestNext();
    DiscoveryResponse large = response("x".repeat(12 << 20));
    server.awaitStream().send(large);

    assertThat(events.next()).isEqualTo(large.toByteString());
  }

  @Test
  void failsAStreamWhoseResponseIsAboveTheLimit() {
    XdsTransport limited =
        GrpcTransportFactory.create(Env.system())
            .withMaxInboundMessageSize(1 << 20)
            .create(ServerConfig.insecure(server.uri()), events);
    XdsTransport.Stream stream = limited.open(AdsProtocol.SOTW, events);
    stream.requestNext();
    server.awaitStream().send(response("x".repeat(2 << 20)));

    Status status = events.awaitClosed();
    assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(status.getDescription()).contains("1048576");
    limited.close();
  }

  @Test
  void passesOnHowTheServerEndedTheStream() {
    transport.open(AdsProtocol.SOTW, events);
    server.awaitStream().close(Status.OK);
    assertThat(events.awaitClosed().isOk()).isTrue();

    transport.open(AdsProtocol.SOTW, events);
    server.awaitStream().close(Status.PERMISSION_DENIED.withDescription("node n is not known"));
    Status status = events.awaitClosed();
    assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(status.getDescription()).isEqualTo("node n is not known");
  }

  @Test
  void saysNothingMoreOnceCancelled() {
    XdsTransport.Stream stream = transport.open(AdsProtocol.SOTW, events);
    FakeStream<DiscoveryRequest, DiscoveryResponse> peer = server.awaitStream();
    stream.cancel("enough");
    stream.cancel("twice does no harm");
    stream.send(request("ignored"));
    stream.requestNext();

    assertThat(peer.awaitEnd()).isEqualTo("cancelled");
    assertThat(events.ofStream().all()).isEmpty();
  }

  @Test
  void doesNotDependOnTheContextItWasOpenedIn() {
    Context.CancellableContext caller = Context.current().withCancellation();
    caller.run(() -> transport.open(AdsProtocol.SOTW, events));
    FakeStream<DiscoveryRequest, DiscoveryResponse> peer = server.awaitStream();
    caller.cancel(new CancellationException("the caller went away"));

    peer.close(Status.OK);
    assertThat(events.awaitClosed().isOk()).isTrue();
  }

  private static DiscoveryRequest request(String typeUrl) {
    return DiscoveryRequest.newBuilder().setTypeUrl(typeUrl).build();
  }

  private static DiscoveryResponse response(String clusterName) {
    Cluster cluster = Cluster.newBuilder().setName(clusterName).build();
    return SotwResponse.of(TypeUrls.CLUSTER, "1", "n").with(cluster).build();
  }
}
