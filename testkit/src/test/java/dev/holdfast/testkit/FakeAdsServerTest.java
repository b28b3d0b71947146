// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FakeAdsServerTest {
  private final Recorder<Object> received = new Recorder<>("event");
  private final FakeAdsServer server = FakeAdsServer.start();
  private final ManagedChannel channel = channelTo(server, InsecureChannelCredentials.create());

  @AfterEach
  void close() {
    channel.shutdownNow();
    server.close();
  }

  @Test
  void recordsRequestsAndSendsWhatItIsTold() {
    StreamObserver<DiscoveryRequest> client =
        AggregatedDiscoveryServiceGrpc.newStub(channel).streamAggregatedResources(observer());
    client.onNext(DiscoveryRequest.newBuilder().setTypeUrl("one").build());
    client.onNext(DiscoveryRequest.newBuilder().setTypeUrl("two").build());

    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
    assertThat(stream.awaitRequest(r -> r.getTypeUrl().equals("two"))).isNotNull();
    assertThat(stream.requests()).hasSize(2);
    DiscoveryResponse response =
        SotwResponse.of(TypeUrls.CLUSTER, "1", "n1")
            .with(Resources.edsCluster("a"))
            .withWrapped("b", Resources.edsCluster("b"))
            .withError("c", Status.Code.NOT_FOUND, "no such cluster")
            .build();
    stream.send(response);
    assertThat(received.next()).isEqualTo(response);

    stream.close(Status.PERMISSION_DENIED.withDescription("go away"));
    assertThat(Status.fromThrowable((Throwable) received.next()).getDescription())
        .isEqualTo("go away");
  }

  @Test
  void servesIncrementalStreamsAndNoticesThatTheClientIsGone() {
    StreamObserver<DeltaDiscoveryRequest> client =
        AggregatedDiscoveryServiceGrpc.newStub(channel).deltaAggregatedResources(observer());

    FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream = server.awaitDeltaStream();
    DeltaDiscoveryResponse response =
        DeltaResponse.of(TypeUrls.CLUSTER, "1", "n1")
            .with("a", "1", Resources.edsCluster("a"))
            .without("b")
            .withError("c", Status.Code.PERMISSION_DENIED, "not yours")
            .build();
    stream.send(response);
    assertThat(received.next()).isEqualTo(response);

    client.onError(new IllegalStateException("gone"));
    assertThat(stream.awaitEnd()).isEqualTo("cancelled");
  }

  @Test
  void canBeStoppedAndStartedAgainOnTheSamePort() throws Exception {
    server.stop();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()))
        .isInstanceOf(ConnectException.class);

    server.restart();
    new Socket(InetAddress.getLoopbackAddress(), server.port()).close();
  }

  @Test
  void acceptsWithoutAnsweringWhileStalled() throws Exception {
    server.stall();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertThat(socket.isConnected()).isTrue();
      assertThat(socket.getInputStream().available()).isZero();

      server.restart();
      assertThat(isOver(socket)).isTrue();
    }
  }

  private static boolean isOver(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() == -1;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Test
  void speaksTlsWithACertificateMadeOnTheSpot() throws Exception {
    TestCa ca = TestCa.create("test authority");
    TestCa.Identity identity = ca.issue("server");
    try (FakeAdsServer secure =
        FakeAdsServer.start(
            TlsServerCredentials.create(
                stream(identity.certificatePem()), stream(identity.privateKeyPem())))) {
      ManagedChannel trusting =
          channelTo(
              secure,
              TlsChannelCredentials.newBuilder().trustManager(stream(ca.certificatePem())).build());
      StreamObserver<DiscoveryRequest> client =
          AggregatedDiscoveryServiceGrpc.newStub(trusting).streamAggregatedResources(observer());
      client.onNext(DiscoveryRequest.getDefaultInstance());
      assertThat(secure.awaitStream().awaitRequest()).isNotNull();
      trusting.shutdownNow();
    }
  }

  private <T> StreamObserver<T> observer() {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {
        received.add(value);
      }

      @Override
      public void onError(Throwable t) {
        received.add(t);
      }

      @Override
      public void onCompleted() {
        received.add("completed");
      }
    };
  }

  private static ManagedChannel channelTo(FakeAdsServer server, ChannelCredentials credentials) {
    return Grpc.newChannelBuilder(server.uri(), credentials).build();
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }
}
