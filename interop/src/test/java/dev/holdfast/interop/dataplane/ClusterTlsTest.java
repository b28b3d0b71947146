// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.security.HoldfastChannelCredentials;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.xds.client.ServerFeature;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsServerCredentials.ClientAuth;
import io.grpc.xds.XdsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS that clusters ask for, over their lives: certificates that change, fail and come back. */
class ClusterTlsTest {
  private static final String MUTUAL =
      "'tls_certificate_provider_instance': {'instance_name': 'p'},"
          + " 'validation_context': {'ca_certificate_provider_instance': {'instance_name': 'p'}}";

  private final TestCa ca = TestCa.create("ours");
  private final Stage stage = new Stage();
  private final List<Wire> wires = new ArrayList<>();

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
    wires.forEach(Wire::close);
  }

  private Backend secured(String name, TestCa.Identity identity) {
    return stage.backend(name, Certificates.server(identity, ca, ClientAuth.REQUIRE));
  }

  private Wire before(Backend backend) {
    Wire wire = Wire.before(backend);
    wires.add(wire);
    return wire;
  }

  private static Cluster tls(String name, String more) {
    return Xds.cluster(
        name,
        "\"transport_socket\": " + SocketShape.socket("'common_tls_context': {" + more + "}"));
  }

  private ManagedChannel channel() {
    return stage.channel(credentials());
  }

  private static ChannelCredentials credentials() {
    return HoldfastChannelCredentials.create(InsecureChannelCredentials.create());
  }

  @Test
  void serverOfAStrangeAuthorityIsNotTrusted() {
    Backend strange = secured("strange", TestCa.create("theirs").issue("strange"));
    stage.serve(strange);
    stage.ads.set(tls("c", MUTUAL));
    Rpc.Outcome outcome = Rpc.call(channel());
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text())
        .contains(
            "cluster c: no TLS connection: the server's certificate \"CN=strange\" is not valid by certificate provider \"p\"",
            "unable to find valid certification path",
            "node ID:" + Stage.NODE);
  }

  @Test
  void serverWhoseCertificateHasExpiredIsNotTrusted() {
    stage.serve(secured("late", ca.issueExpired("late")));
    stage.ads.set(tls("c", MUTUAL));
    Rpc.Outcome outcome = Rpc.call(channel());
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text()).contains("\"CN=late\" is not valid by", "NotAfter");
  }

  @Test
  void serverThatSpeaksPlaintextGetsNoCalls() {
    Backend plain = stage.backend("plain");
    stage.serve(plain);
    stage.ads.set(tls("c", MUTUAL));
    Rpc.Outcome outcome = Rpc.call(channel());
    assertThat(outcome.code()).as(outcome.text()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text())
        .contains("cluster c: no TLS connection: not an SSL/TLS record", "node ID:" + Stage.NODE);
    assertThat(plain.calls()).isZero();
  }

  @Test
  void missingFilesFailCallsWithTheirNamesUntilTheyAreThere() throws IOException {
    Files.delete(files.resolve("ca.pem"));
    Backend one = secured("one", ca.issue("one"));
    stage.serve(one);
    stage.ads.set(tls("c", MUTUAL));
    ManagedChannel channel = channel();
    Rpc.Outcome outcome = Rpc.call(channel);
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text())
        .contains(
            "cluster c: no TLS connection: certificate provider \"p\": ",
            "ca.pem: no such file",
            "node ID:" + Stage.NODE);

    ca.writeTo(files);
    Stage.awaitBackend(channel, one);
  }

  @Test
  void certificatesChangeUnderLoadWithoutOneFailedCall() throws Exception {
    // Asks clients to connect again every 300 ms, after the calls that are under way.
    Backend one =
        stage.backend(
            "one",
            Certificates.server(ca.issue("one"), ca, ClientAuth.REQUIRE),
            server -> server.maxConnectionAge(300, TimeUnit.MILLISECONDS));
    Wire wire = before(one);
    stage.serve();
    stage.ads.set(tls("c", MUTUAL), Resources.endpoints("c", wire.port()));
    ManagedChannel channel = channel();
    Stage.awaitBackend(channel, one);
    assertThat(one.lastClient()).isEqualTo("CN=client");

    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    List<CompletableFuture<String>> load = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      // In threads of their own: the common pool is for those who do not block it.
      load.add(
          CompletableFuture.supplyAsync(
              () -> callUntil(stop, channel, calls), task -> new Thread(task, "calls").start()));
    }
    String last = one.lastClient();
    for (int round = 1; round <= 3; round++) {
      TestCa.Identity next = ca.issue("client-" + round);
      Files.writeString(files.resolve("cert.pem"), next.certificatePem());
      // The files are read each second: meanwhile they were, with a key of another certificate.
      int connections = wire.beginnings().size();
      Stage.await("connections", () -> wire.beginnings().size() > connections + 5);
      assertThat(one.lastClient()).isEqualTo(last);

      Files.writeString(files.resolve("key.pem"), next.privateKeyPem());
      last = "CN=client-" + round;
      String expected = last;
      Stage.await(expected, () -> one.lastClient().equals(expected));
    }
    stop.set(true);
    for (CompletableFuture<String> failures : load) {
      assertThat(failures.get()).isEmpty();
    }
    assertThat(calls.get()).isGreaterThan(100);
    assertThat(wire.beginnings()).hasSizeGreaterThan(18).allMatch(Wire.Beginning::isClientHello);
  }

  /** The texts of all calls that failed. */
  private static String callUntil(AtomicBoolean stop, ManagedChannel channel, AtomicInteger calls) {
    StringBuilder failures = new StringBuilder();
    while (!stop.get()) {
      Rpc.Outcome outcome = Rpc.call(channel);
      calls.incrementAndGet();
      if (!outcome.isOk()) {
        failures.append(outcome.text()).append('\n');
      }
    }
    return failures.toString();
  }

  @Test
  void everyLeafOfAnAggregateHasTlsOfItsOwn() {
    Backend secure = secured("secure", ca.issue("secure"));
    Backend plain = stage.backend("plain");
    Wire toSecure = before(secure);
    Wire toPlain = before(plain);
    stage.serve();
    stage.ads.set(
        Xds.aggregate("c", "first", "second"),
        tls("first", MUTUAL),
        Xds.cluster("second", ""),
        Resources.endpoints("first", toSecure.port()),
        Resources.endpoints("second", toPlain.port()));
    ManagedChannel channel = channel();
    Stage.awaitBackend(channel, secure);
    secure.stop();
    Stage.awaitBackend(channel, plain);
    assertThat(toSecure.beginnings()).isNotEmpty().allMatch(Wire.Beginning::isClientHello);
    assertThat(toPlain.beginnings()).isNotEmpty().noneMatch(Wire.Beginning::isClientHello);
  }

  @Test
  void clusterOfOneDnsNameSendsThatName() {
    Wire wire = before(secured("one", ca.issue("one")));
    stage.serve();
    stage.ads.set(
        Resources.cluster(
            """
            {"name": "c", "type": "LOGICAL_DNS", "load_assignment": {"cluster_name": "c",
              "endpoints": [{"lb_endpoints": [{"endpoint": {"address": {"socket_address":
                {"address": "localhost", "port_value": %d}}}}]}]},
             "transport_socket": %s}
            """
                .formatted(
                    wire.port(),
                    SocketShape.socket(
                        "'auto_host_sni': true, 'auto_sni_san_validation': true,"
                            + " 'common_tls_context': {"
                            + MUTUAL
                            + "}"))));
    Rpc.Outcome outcome = Rpc.call(channel());
    assertThat(outcome.backend()).as(outcome.text()).isEqualTo("one");
    assertThat(wire.beginnings().get(0).sni()).isEqualTo("localhost");
  }

  @Test
  void connectionsFollowAClusterThatBeginsAndCeasesToAskForTls() {
    Backend secure = secured("secure", ca.issue("secure"));
    Backend plain = stage.backend("plain");
    Wire toSecure = before(secure);
    Wire toPlain = before(plain);
    stage.serve();
    stage.ads.set(Xds.cluster("c", ""), Resources.endpoints("c", toPlain.port()));
    ManagedChannel channel = channel();
    Stage.awaitBackend(channel, plain);
    stage.ads.set(tls("c", MUTUAL), Resources.endpoints("c", toSecure.port()));
    Stage.awaitBackend(channel, secure);
    stage.ads.set(Xds.cluster("c", ""), Resources.endpoints("c", toPlain.port()));
    Stage.awaitBackend(channel, plain);
  }

  /** The address is the same; gRPC by itself would keep the connection. */
  @Test
  void clusterWithAnotherNameToSendIsConnectedToAgain() {
    Backend one = secured("one", ca.issue("one"));
    Wire wire = before(one);
    stage.serve();
    stage.ads.set(tls("c", MUTUAL), Resources.endpoints("c", wire.port()));
    ManagedChannel channel = channel();
    Stage.awaitBackend(channel, one);
    stage.ads.set(
        Xds.cluster(
            "c",
            "\"transport_socket\": "
                + SocketShape.socket(
                    "'sni': 'shop.example.com', 'common_tls_context': {" + MUTUAL + "}")));
    Stage.await(
        "another connection",
        () -> {
          assertThat(Rpc.call(channel).isOk()).isTrue();
          return wire.beginnings().size() > 1;
        });
    assertThat(wire.beginnings().get(1).sni()).isEqualTo("shop.example.com");
  }

  @Test
  void grpcXdsKeepsItsConnectionToAClusterWithOtherTls() {
    Backend one = secured("one", ca.issue("one"));
    Backend two = stage.backend("two");
    Wire wire = before(one);
    stage.serve();
    stage.ads.set(tls("c", MUTUAL), Resources.endpoints("c", wire.port()));
    ManagedChannel peer =
        stage.open(
            stage.peerBuilder(XdsChannelCredentials.create(InsecureChannelCredentials.create())));
    Stage.awaitBackend(peer, one);
    stage.ads.set(
        Xds.cluster(
            "c",
            "\"transport_socket\": "
                + SocketShape.socket(
                    "'sni': 'shop.example.com', 'common_tls_context': {" + MUTUAL + "}")));
    // Whoever has the routes that are sent later has the cluster, too.
    stage.ads.set(
        Xds.cluster("d", ""),
        Resources.endpoints("d", two.port()),
        Xds.routes(
            "{\"match\": {\"prefix\": \"/test.Later/\"}, \"route\": {\"cluster\": \"d\"}}",
            Xds.route("")));
    Stage.await("later routes", () -> Rpc.call(peer, "test.Later/Who").backend().equals("two"));
    assertThat(Rpc.share(peer, 20)).containsOnlyKeys("one");
    assertThat(wire.beginnings()).hasSize(1);
  }

  @Test
  void serverThatWantsACertificateTurnsAClientWithoutOneAway() {
    stage.serve(secured("one", ca.issue("one")));
    stage.ads.set(
        tls(
            "c",
            "'validation_context':"
                + " {'ca_certificate_provider_instance': {'instance_name': 'p'}}"));
    Rpc.Outcome outcome = Rpc.call(channel());
    assertThat(outcome.code()).as(outcome.text()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text())
        .contains(
            "cluster c: no TLS connection: ", "CERTIFICATE_REQUIRED", "node ID:" + Stage.NODE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ROUND_ROBIN", "RING_HASH", "LEAST_REQUEST"})
  void allPoliciesPassTheTlsOn(String policy) {
    Backend one = secured("one", ca.issue("one"));
    Backend two = secured("two", ca.issue("two"));
    stage.serve(one, two);
    stage.ads.set(
        Xds.cluster(
            "c",
            "\"lb_policy\": \""
                + policy
                + "\", \"outlier_detection\": {\"interval\": \"10s\"}, \"transport_socket\": "
                + SocketShape.socket("'common_tls_context': {" + MUTUAL + "}")));
    assertThat(Rpc.share(channel(), 20)).doesNotContainKey("failed");
    assertThat(one.lastClient() + two.lastClient()).contains("CN=client");
  }

  @Test
  void authorityOfTheEndpointIsUsedWithoutACheckByTls() {
    Backend one = secured("one", ca.issue("one"));
    stage.serve(one);
    ClusterLoadAssignment.Builder endpoints = Resources.endpoints("c", one.port()).toBuilder();
    endpoints
        .getEndpointsBuilder(0)
        .getLbEndpointsBuilder(0)
        .getEndpointBuilder()
        .setHostname("pod-1.example.com");
    stage.ads.set(
        tls("c", MUTUAL), endpoints.build(), Xds.routes(Xds.route("\"auto_host_rewrite\": true")));
    ManagedChannel channel =
        stage.channel(credentials(), options -> options, ServerFeature.TRUSTED_XDS_SERVER);
    Rpc.Outcome outcome = Rpc.call(channel);
    assertThat(outcome.backend()).as(outcome.text()).isEqualTo("one");
    assertThat(one.lastAuthority()).isEqualTo("pod-1.example.com");
  }
}
