// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.grpc.security.HoldfastChannelCredentials;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.xds.XdsChannelCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every shape of a transport socket that a cluster can have: it is honoured or refused, and never
 * answered with plaintext. The first bytes on the wire are the judge, and grpc-xds the peer.
 */
class TransportSocketsTest {
  private static final ChannelCredentials FALLBACK = InsecureChannelCredentials.create();

  private final TestCa ca = TestCa.create("ours");
  private final Stage stage = new Stage();
  private final Backend one =
      stage.backend(
          "one",
          Certificates.server(
              ca.issueFor("one", "shop.example.com", "*.wild.example.com", "spiffe://mesh/ns/shop"),
              ca));
  private final Wire wire = Wire.before(one);

  @TempDir Path files;

  @BeforeEach
  void writeCertificates() {
    ca.writeTo(files);
    ca.issue("client").writeTo(files);
    stage.provider("p", Certificates.watcher(files));
  }

  @AfterEach
  void close() {
    stage.close();
    wire.close();
  }

  static List<SocketShape> shapes() {
    return SocketShape.all();
  }

  static List<SocketShape> comparableShapes() {
    return SocketShape.all().stream()
        .filter(shape -> !(shape.outcome() instanceof SocketShape.Refused))
        .filter(shape -> !SocketShape.UNKNOWN_TO_PEER.contains(shape.name()))
        .toList();
  }

  static List<SocketShape> shapesUnknownToPeer() {
    return SocketShape.all().stream()
        .filter(shape -> SocketShape.UNKNOWN_TO_PEER.contains(shape.name()))
        .toList();
  }

  private void serve(SocketShape shape) {
    stage.serve();
    ClusterLoadAssignment.Builder endpoints = Resources.endpoints("c", wire.port()).toBuilder();
    endpoints
        .getEndpointsBuilder(0)
        .getLbEndpointsBuilder(0)
        .getEndpointBuilder()
        .setHostname(shape.hostname());
    stage.ads.set(shape.cluster(), endpoints.build());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void everyShapeIsHonouredOrRefused(SocketShape shape) {
    serve(shape);
    Rpc.Outcome outcome = Rpc.call(stage.channel(HoldfastChannelCredentials.create(FALLBACK)));
    judge(shape, outcome);
  }

  private void judge(SocketShape shape, Rpc.Outcome outcome) {
    if (shape.outcome() instanceof SocketShape.Done done) {
      assertThat(outcome.backend()).as(outcome.text()).isEqualTo("one");
      assertThat(one.lastClient()).isEqualTo(done.client());
      assertSent(done.sni());
    } else if (shape.outcome() instanceof SocketShape.Failed failed) {
      assertUnavailable(outcome, failed.text());
      assertSent(failed.sni());
    } else if (shape.outcome() instanceof SocketShape.Refused refused) {
      assertUnavailable(outcome, refused.text());
      assertThat(wire.beginnings()).isEmpty();
    }
  }

  private void assertSent(String sni) {
    assertThat(wire.beginnings()).isNotEmpty().allMatch(Wire.Beginning::isClientHello);
    assertThat(wire.beginnings().get(0).sni()).isEqualTo(sni);
    assertThat(wire.beginnings().get(0).alpn()).isEqualTo("h2");
  }

  private static void assertUnavailable(Rpc.Outcome outcome, String text) {
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text()).contains(text, "node ID:" + Stage.NODE);
  }

  /** On the same server: the same calls succeed, with the same name and the same certificate. */
  @ParameterizedTest
  @MethodSource("comparableShapes")
  void grpcXdsDoesTheSame(SocketShape shape) {
    serve(shape);
    Rpc.Outcome outcome =
        Rpc.call(stage.open(stage.peerBuilder(XdsChannelCredentials.create(FALLBACK))));
    if (shape.outcome() instanceof SocketShape.Done done) {
      assertThat(outcome.backend()).as(outcome.text()).isEqualTo("one");
      assertThat(one.lastClient()).isEqualTo(done.client());
      assertSent(done.sni());
    } else if (shape.outcome() instanceof SocketShape.Failed failed) {
      assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertSent(failed.sni());
    }
  }

  /** What of our table it does not do; none of it is answered with plaintext, either. */
  @ParameterizedTest
  @MethodSource("shapesUnknownToPeer")
  void grpcXdsFailsCallsOfShapesThatOnlyOursKnows(SocketShape shape) {
    serve(shape);
    Rpc.Outcome outcome =
        Rpc.call(stage.open(stage.peerBuilder(XdsChannelCredentials.create(FALLBACK))));
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(wire.beginnings()).allMatch(Wire.Beginning::isClientHello);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void plaintextIsNeverTheAnswer(SocketShape shape) {
    serve(shape);
    Rpc.Outcome outcome = Rpc.call(stage.channel());
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text()).contains("c: ", "node ID:" + Stage.NODE);
    if (!(shape.outcome() instanceof SocketShape.Refused)) {
      assertThat(outcome.text())
          .contains(
              "cluster c: asks for TLS",
              "InsecureChannelCredentials",
              "HoldfastChannelCredentials");
    }
    assertThat(wire.beginnings()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void credentialsOfGrpcXdsAreRefusedAtOnce(SocketShape shape) {
    serve(shape);
    Rpc.Outcome outcome = Rpc.call(stage.channel(XdsChannelCredentials.create(FALLBACK)));
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    if (!(shape.outcome() instanceof SocketShape.Refused)) {
      assertThat(outcome.text())
          .contains("XdsChannelCredentials of grpc-xds", "HoldfastChannelCredentials");
    }
    assertThat(wire.beginnings()).isEmpty();
  }

  @Test
  void channelBuiltWithoutCredentialsIsRefused() {
    serve(SocketShape.all().get(0));
    ManagedChannel channel =
        stage.open(
            ManagedChannelBuilder.forTarget("xds:///svc")
                .usePlaintext()
                .setNameResolverArg(XdsOptions.KEY, XdsOptions.of(stage.bootstrap())));
    assertUnavailable(Rpc.call(channel), "usePlaintext()");
    assertThat(wire.beginnings()).isEmpty();
  }

  @Test
  void channelWithTlsOfItsOwnUsesThat() throws IOException {
    serve(SocketShape.all().get(0));
    ManagedChannel channel =
        stage.channel(
            TlsChannelCredentials.newBuilder()
                .trustManager(files.resolve("ca.pem").toFile())
                .build());
    // The application's own rules: the certificate must be for the target, and is for a shop.
    assertThat(Rpc.call(channel).code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(wire.beginnings()).isNotEmpty().allMatch(Wire.Beginning::isClientHello);
  }

  @Test
  void whoeverOptsOutByNameGetsTheCredentialsOfTheChannel() {
    Backend plain = stage.backend("plain");
    try (Wire toPlain = Wire.before(plain)) {
      stage.serve();
      stage.ads.set(SocketShape.all().get(0).cluster(), Resources.endpoints("c", toPlain.port()));
      ManagedChannel channel = stage.channel(FALLBACK, XdsOptions::withClusterTlsIgnored);
      assertThat(Rpc.call(channel).backend()).isEqualTo("plain");
      assertThat(toPlain.beginnings()).noneMatch(Wire.Beginning::isClientHello);
    }
  }

  @Test
  void grpcXdsWithInsecureCredentialsCallsInPlaintext() {
    Backend plain = stage.backend("plain");
    try (Wire toPlain = Wire.before(plain)) {
      stage.serve();
      stage.ads.set(SocketShape.all().get(0).cluster(), Resources.endpoints("c", toPlain.port()));
      assertThat(Rpc.call(stage.peer()).backend()).isEqualTo("plain");
      assertThat(toPlain.beginnings()).noneMatch(Wire.Beginning::isClientHello);
    }
  }

  @Test
  void clusterWithoutASocketGetsTheFallback() {
    Backend plain = stage.backend("plain");
    stage.serve(plain);
    assertThat(Rpc.call(stage.channel(HoldfastChannelCredentials.create(FALLBACK))).backend())
        .isEqualTo("plain");
    assertThat(Rpc.call(stage.channel(XdsChannelCredentials.create(FALLBACK))).backend())
        .isEqualTo("plain");
  }

  @ParameterizedTest
  @CsvSource({
    "envoy.transport_sockets.raw_buffer, envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer",
    "envoy.transport_sockets.quic, envoy.extensions.transport_sockets.quic.v3.QuicUpstreamTransport",
    "envoy.transport_sockets.alts, envoy.extensions.transport_sockets.alts.v3.Alts",
    "envoy.transport_sockets.tls, envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
    "my.socket, my.Socket"
  })
  void socketOfAnotherKindIsRefused(String name, String type) {
    stage.serve();
    Cluster cluster =
        Xds.cluster("c", "").toBuilder()
            .setTransportSocket(
                TransportSocket.newBuilder()
                    .setName(name)
                    .setTypedConfig(Any.newBuilder().setTypeUrl("type.googleapis.com/" + type)))
            .build();
    stage.ads.set(cluster, Resources.endpoints("c", wire.port()));
    for (ChannelCredentials credentials :
        List.of(HoldfastChannelCredentials.create(FALLBACK), FALLBACK)) {
      assertUnavailable(Rpc.call(stage.channel(credentials)), "transport_socket");
    }
    assertThat(wire.beginnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"name\": \"tls\"}"})
  void socketsByEndpointAreRefused(String match) {
    stage.serve();
    stage.ads.set(
        Xds.cluster("c", "\"transport_socket_matches\": [" + match + "]"),
        Resources.endpoints("c", wire.port()));
    assertUnavailable(
        Rpc.call(stage.channel(HoldfastChannelCredentials.create(FALLBACK))),
        "transport_socket_matches");
    assertThat(wire.beginnings()).isEmpty();
  }
}
