// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.security.HoldfastChannelCredentials;
import dev.holdfast.interop.serve.foreign.ForeignClient;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import io.grpc.TlsServerCredentials.ClientAuth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS that a cluster asks for (gRFC A29), with Holdfast's channel and other languages' clients. */
class OtherLanguagesTlsTest {
  private static final String MUTUAL =
      "'tls_certificate_provider_instance': {'instance_name': 'p'},"
          + " 'validation_context': {'ca_certificate_provider_instance': {'instance_name': 'p'}%s}";

  private final TestCa ca = TestCa.create("ours");
  private final Stage stage = new Stage();
  private final Backend one =
      stage.backend(
          "one",
          Certificates.server(ca.issueFor("one", "shop.example.com"), ca, ClientAuth.REQUIRE));
  private final Wire wire = Wire.before(one);

  @TempDir Path directory;

  @BeforeEach
  void writeCertificates() throws Exception {
    Path files = Files.createDirectory(directory.resolve("certificates"));
    ca.writeTo(files);
    ca.issue("client").writeTo(files);
    stage.provider("p", Certificates.watcher(files));
  }

  @AfterEach
  void close() {
    stage.close();
    wire.close();
  }

  private void serve(String moreOfValidation) {
    stage.serve();
    stage.ads.set(tls(MUTUAL.formatted(moreOfValidation)), Resources.endpoints("c", wire.port()));
  }

  private static Cluster tls(String context) {
    return Xds.cluster(
        "c",
        "\"transport_socket\": " + SocketShape.socket("'common_tls_context': {" + context + "}"));
  }

  private Rpc.Outcome ours() {
    return Rpc.call(
        stage.channel(HoldfastChannelCredentials.create(InsecureChannelCredentials.create())));
  }

  private ForeignClient start(String language) {
    return ForeignClient.start(
        language, "svc", stage.bootstrapFile(), directory, Map.of("CHANNEL_CREDENTIALS", "xds"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "go", "node"})
  void bothShowTheCertificateOfTheBootstrap(String language) {
    serve("");
    assertThat(ours().backend()).isEqualTo("one");
    String client = one.lastClient();
    assertThat(client).isEqualTo("CN=client");
    try (ForeignClient theirs = start(language)) {
      assertThat(theirs.call("/" + Rpc.METHOD)).isEqualTo("OK one");
    }
    assertThat(one.lastClient()).isEqualTo(client);
    assertThat(one.calls()).isEqualTo(2);
    assertThat(wire.beginnings()).hasSizeGreaterThan(1).allMatch(Wire.Beginning::isClientHello);
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "go", "node"})
  void noneCallsAServerOfAnotherName(String language) {
    serve(", 'match_subject_alt_names': [{'exact': 'cart.example.com'}]");
    Rpc.Outcome outcome = ours();
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    stage.closeChannels();
    int before = wire.beginnings().size();
    try (ForeignClient theirs = start(language)) {
      assertThat(theirs.call("/" + Rpc.METHOD)).startsWith("UNAVAILABLE ");
    }
    assertThat(wire.beginnings()).as("it has seen the server").hasSizeGreaterThan(before);
    assertThat(one.calls()).isZero();
    assertThat(wire.beginnings()).allMatch(Wire.Beginning::isClientHello);
  }
}
