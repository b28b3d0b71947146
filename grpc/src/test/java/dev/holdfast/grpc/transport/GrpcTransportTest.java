// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static dev.holdfast.grpc.transport.Events.SENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Env;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connection below the streams: outages, stalls and the end. */
class GrpcTransportTest {
  private final Events events = new Events();
  private FakeAdsServer server = FakeAdsServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void failsStreamsAtOnceAndSaysWhyWhileTheServerIsDown() {
    server.stop();
    try (Connection connection = connect()) {
      XdsTransport.Stream stream = connection.transport.open(AdsProtocol.SOTW, events);
      stream.send(DiscoveryRequest.getDefaultInstance());

      Status status = events.awaitClosed();
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription()).contains("Connection refused").doesNotContain("\n");
      assertThat(events.ofStream().all()).doesNotContain(SENT);
    }
  }

  @Test
  void saysSoWhenTheServerIsBackWithoutBeingAsked() {
    server.stop();
    try (Connection connection = connect()) {
      connection.transport.open(AdsProtocol.SOTW, events);
      events.awaitClosed();

      server.restart();
      events.awaitConnected();
      connection.transport.open(AdsProtocol.SOTW, events);
      assertThat(server.awaitStream()).isNotNull();
    }
  }

  @Test
  void connectsAgainForTheNextStreamAfterTheServerWasKilled() {
    try (Connection connection = connect()) {
      connection.transport.open(AdsProtocol.SOTW, events);
      server.awaitStream();
      events.awaitConnected();
      server.restart();
      assertThat(events.awaitClosed().isOk()).isFalse();

      connection.transport.open(AdsProtocol.SOTW, events);
      assertThat(server.awaitStream()).isNotNull();
      events.awaitConnected();
    }
  }

  @Test
  void doesNotTakeAnAcceptedConnectionForAConnectedServer() {
    server.stall();
    try (Connection connection = connect()) {
      XdsTransport.Stream stream = connection.transport.open(AdsProtocol.SOTW, events);
      stream.send(DiscoveryRequest.getDefaultInstance());
      server.stop();

      assertThat(events.awaitClosed().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(events.ofStream().all()).doesNotContain(SENT);
    }
  }

  @Test
  void doesNotReportARequestAsSentWhileTheStreamWaitsForAPlaceOnTheConnection() {
    server.close();
    server = FakeAdsServer.start(builder -> builder.maxConcurrentCallsPerConnection(1));
    try (Connection connection = connect()) {
      Events first = new Events();
      XdsTransport.Stream inTheWay = connection.transport.open(AdsProtocol.SOTW, first);
      inTheWay.send(DiscoveryRequest.getDefaultInstance());
      assertThat(first.next()).isEqualTo(SENT);
      FakeStream<DiscoveryRequest, DiscoveryResponse> peer = server.awaitStream();

      XdsTransport.Stream waiting = connection.transport.open(AdsProtocol.SOTW, events);
      waiting.send(DiscoveryRequest.getDefaultInstance());
      inTheWay.send(DiscoveryRequest.getDefaultInstance());
      assertThat(first.next()).isEqualTo(SENT);
      peer.awaitRequest();
      peer.awaitRequest();
      assertThat(events.ofStream().all()).isEmpty();
      assertThat(server.streamCount()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void endIsReachedThoughThereIsMoreToReadAndTheAnswerCannotBeSent(boolean connectionLost) {
    try (Connection connection = connect()) {
      XdsTransport.Stream stream = connection.transport.open(AdsProtocol.SOTW, events);
      stream.send(DiscoveryRequest.getDefaultInstance());
      assertThat(events.next()).isEqualTo(SENT);
      FakeStream<DiscoveryRequest, DiscoveryResponse> served = server.awaitStream();
      for (int i = 0; i < 20; i++) {
        served.send(DiscoveryResponse.newBuilder().setNonce("n" + i).build());
      }
      stream.requestNext();
      assertThat(events.next()).isInstanceOf(ByteString.class);
      if (connectionLost) {
        server.stop();
      } else {
        served.close(Status.UNAVAILABLE);
      }
      // As the engine does: an answer, and the next response when the answer is sent.
      Object event = SENT;
      while (!(event instanceof Status)) {
        if (event.equals(SENT)) {
          stream.send(DiscoveryRequest.getDefaultInstance());
        }
        event = events.next();
      }
      assertThat(((Status) event).isOk()).isFalse();
    }
  }

  @Test
  void endsItsStreamsSilentlyWhenClosed() {
    Connection connection = connect();
    connection.transport.open(AdsProtocol.SOTW, events);
    FakeStream<DiscoveryRequest, DiscoveryResponse> peer = server.awaitStream();
    connection.close();
    connection.close();

    assertThat(peer.awaitEnd()).isEqualTo("cancelled");
    assertThat(events.ofStream().all()).isEmpty();
  }

  @Test
  void leavesNoThreadsBehind() {
    openAndClose();
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    for (int i = 0; i < 10; i++) {
      openAndClose();
    }

    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> !isShared(name))
                .collect(Collectors.toSet()))
        .isEmpty();
  }

  @Test
  void refusesWhatIsNoTarget() {
    assertThatThrownBy(() -> connect(ServerConfig.insecure("nonsense:///x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("server_uri: nonsense:///x");
  }

  @Test
  void refusesCredentialsOfAnUnknownType() {
    ServerConfig config =
        new ServerConfig(server.uri(), new Credentials("carrier_pigeon", Map.of()), Set.of());
    assertThatThrownBy(() -> connect(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("carrier_pigeon")
        .hasMessageContaining("insecure");
  }

  private void openAndClose() {
    try (Connection connection = connect()) {
      connection.transport.open(AdsProtocol.SOTW, new Events());
      server.awaitStream();
    }
  }

  /** Pools that all channels of a process share, and the server's own. */
  private static boolean isShared(String thread) {
    return thread.startsWith("grpc-") || thread.startsWith("ForkJoinPool.commonPool");
  }

  private Connection connect() {
    return connect(ServerConfig.insecure(server.uri()));
  }

  private Connection connect(ServerConfig config) {
    return new Connection(GrpcTransportFactory.create(Env.system()).create(config, events));
  }

  private record Connection(XdsTransport transport) implements AutoCloseable {
    @Override
    public void close() {
      transport.close();
    }
  }
}
