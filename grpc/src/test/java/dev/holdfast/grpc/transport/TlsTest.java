// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.Env;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials of type {@code tls} (gRFC A65). */
class TlsTest {
  private final TestCa ca = TestCa.create("ours");
  private final TestCa stranger = TestCa.create("theirs");
  private final ManualTime time = new ManualTime();
  private final Env env = new Env(Runnable::run, time, RandomGenerator.getDefault());
  private final Events events = new Events();

  @TempDir Path files;
  private FakeAdsServer server =
      FakeAdsServer.start(credentials(/* clientMustShowItself= */ false));

  TlsTest() throws IOException {}

  @AfterEach
  void close() {
    server.close();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void trustsTheGivenAuthority() {
    ca.writeTo(files);
    try (Tls tls = connect("ca_certificate_file", "ca.pem")) {
      tls.open();
      assertThat(server.awaitStream()).isNotNull();
    }
  }

  @Test
  void saysWhyItDoesNotTrustAServer() {
    stranger.writeTo(files);
    try (Tls tls = connect("ca_certificate_file", "ca.pem")) {
      tls.open();
      Status status = events.awaitClosed();
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription()).contains("unable to find valid certification path");
    }
  }

  @Test
  void trustsWhomTheJdkTrustsIfToldNothing() {
    try (Tls tls = connect()) {
      tls.open();
      assertThat(events.awaitClosed().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void showsItsOwnCertificate() throws IOException {
    requireClientCertificates();
    ca.writeTo(files);
    ca.issue("client").writeTo(files);
    try (Tls tls =
        connect(
            "ca_certificate_file", "ca.pem",
            "certificate_file", "cert.pem",
            "private_key_file", "key.pem")) {
      tls.open();
      assertThat(server.awaitStream()).isNotNull();
    }
  }

  @Test
  void isTurnedAwayWithoutACertificateByAServerThatWantsOne() throws IOException {
    requireClientCertificates();
    ca.writeTo(files);
    try (Tls tls = connect("ca_certificate_file", "ca.pem")) {
      tls.open();
      assertThat(events.awaitClosed().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(server.streamCount()).isZero();
    }
  }

  @Test
  void readsTheFilesAgain() {
    stranger.writeTo(files);
    try (Tls tls = connect("ca_certificate_file", "ca.pem", "refresh_interval", "60s")) {
      tls.open();
      events.awaitClosed();

      ca.writeTo(files);
      time.advance(Duration.ofSeconds(60));
      events.awaitConnected();
      tls.open();
      assertThat(server.awaitStream()).isNotNull();
    }
  }

  @Test
  void keepsWhatItReadWhileTheFilesAreWrong() throws IOException {
    requireClientCertificates();
    ca.writeTo(files);
    ca.issue("client").writeTo(files);
    try (Tls tls =
        connect(
            "ca_certificate_file", "ca.pem",
            "certificate_file", "cert.pem",
            "private_key_file", "key.pem")) {
      Files.writeString(files.resolve("ca.pem"), "half a certific");
      Files.writeString(files.resolve("key.pem"), ca.issue("next").privateKeyPem());
      time.advance(Duration.ofMinutes(10));

      tls.open();
      assertThat(server.awaitStream()).isNotNull();
    }
  }

  @Test
  void refusesFilesThatAreMissingOrWrongAtFirst() throws IOException {
    assertThatThrownBy(() -> connect("ca_certificate_file", "ca.pem"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ca.pem: no such file");

    Files.writeString(files.resolve("ca.pem"), "");
    assertThatThrownBy(() -> connect("ca_certificate_file", "ca.pem"))
        .hasMessageContaining("ca.pem: holds no certificate");

    ca.issue("client").writeTo(files);
    Files.writeString(files.resolve("key.pem"), ca.issue("other").privateKeyPem());
    assertThatThrownBy(() -> connect("certificate_file", "cert.pem", "private_key_file", "key.pem"))
        .hasMessageContaining("key.pem: is not the key of the certificate");

    assertThatThrownBy(() -> connect("certificate_file", "cert.pem"))
        .hasMessageContaining("private_key_file: missing");
  }

  private void requireClientCertificates() throws IOException {
    server.close();
    server = FakeAdsServer.start(credentials(/* clientMustShowItself= */ true));
  }

  private io.grpc.ServerCredentials credentials(boolean clientMustShowItself) throws IOException {
    TestCa.Identity identity = ca.issue("server");
    TlsServerCredentials.Builder builder =
        TlsServerCredentials.newBuilder()
            .keyManager(stream(identity.certificatePem()), stream(identity.privateKeyPem()));
    return clientMustShowItself
        ? builder
            .trustManager(stream(ca.certificatePem()))
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
            .build()
        : builder.build();
  }

  private Tls connect(String... settings) {
    Map<String, String> config = new LinkedHashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      boolean isFile = settings[i].endsWith("_file");
      config.put(settings[i], isFile ? files.resolve(settings[i + 1]).toString() : settings[i + 1]);
    }
    ServerConfig target = new ServerConfig(server.uri(), new Credentials("tls", config), Set.of());
    return new Tls(GrpcTransportFactory.create(env).create(target, events), events);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  private record Tls(XdsTransport transport, Events events) implements AutoCloseable {
    void open() {
      transport.open(AdsProtocol.SOTW, events);
    }

    @Override
    public void close() {
      transport.close();
    }
  }
}
