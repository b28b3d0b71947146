// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.options.StartException;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.TestCa;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files for TLS that are replaced while the server runs. */
class PortTlsTest {
  private final TestCa ca = TestCa.create("ours");
  private final ManualTime time = new ManualTime();
  private @Nullable PortTls opened;

  @TempDir Path directory;

  @BeforeEach
  void begin() {
    time.advance(Duration.between(time.now(), Instant.now()));
    ca.writeTo(directory);
    ca.issue("first").writeTo(directory);
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
    assertThat(time.pending()).isEmpty();
  }

  private PortTls open() throws StartException {
    opened = PortTls.open("xDS", files(), time);
    return opened;
  }

  private TlsFiles files() {
    Path crl = directory.resolve("crl.pem");
    return new TlsFiles(
        directory.resolve("cert.pem"),
        directory.resolve("key.pem"),
        directory.resolve("ca.pem"),
        Files.exists(crl) ? crl : null);
  }

  private void look() {
    time.advance(PortTls.READ_EVERY);
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }

  @Test
  void aRenewedPairIsUsedForTheNextConnection() throws Exception {
    PortTls tls = open();
    SslContext before = tls.context();
    look();
    assertThat(tls.context()).isSameAs(before);

    ca.issue("second").writeTo(directory);
    look();

    assertThat(tls.context()).isNotSameAs(before);
    assertThat(tls.problem()).isNull();
  }

  @Test
  void aPairOfWhichHalfWasReplacedIsNotUsedAndToldOnlyIfItStaysSo() throws Exception {
    PortTls tls = open();
    SslContext before = tls.context();
    TestCa.Identity second = ca.issue("second");

    write("cert.pem", second.certificatePem());
    look();
    assertThat(tls.context()).isSameAs(before);
    assertThat(tls.problem()).isNull();

    look();
    assertThat(tls.context()).isSameAs(before);
    assertThat(problem(tls))
        .isEqualTo(
            "the TLS files of the xDS port are not used, earlier ones are: "
                + directory.resolve("key.pem")
                + ": is not the key of the certificate");

    write("key.pem", second.privateKeyPem());
    look();
    assertThat(tls.context()).isNotSameAs(before);
    assertThat(tls.problem()).isNull();
  }

  @Test
  void anExpiredMissingOrHalfWrittenCertificateChangesNothing() throws Exception {
    PortTls tls = open();
    SslContext before = tls.context();

    ca.issueExpired("late").writeTo(directory);
    look();
    look();
    assertThat(problem(tls)).contains("cert.pem: expired on ");

    String whole = ca.issue("second").certificatePem();
    write("cert.pem", whole.substring(0, whole.length() / 2));
    look();
    assertThat(problem(tls)).contains("cert.pem: ");

    Files.delete(directory.resolve("cert.pem"));
    look();
    assertThat(problem(tls)).contains("cert.pem: no such file");
    assertThat(tls.context()).isSameAs(before);
  }

  @Test
  void unusableFilesKeepAServerFromStarting() throws Exception {
    ca.issueExpired("late").writeTo(directory);
    assertThatThrownBy(() -> PortTls.open("xDS", files(), time))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("TLS of the xDS port: " + directory.resolve("cert.pem"))
        .hasMessageContaining("expired on");

    ca.issue("first").writeTo(directory);
    write("ca.pem", "none");
    assertThatThrownBy(() -> PortTls.open("xDS", files(), time))
        .hasMessageContaining(directory.resolve("ca.pem") + ": ");
  }

  @Test
  void aClientThatIsRevokedOrOfARemovedAuthorityWouldNotBeLetInAgain() throws Exception {
    TestCa.Identity client = ca.issueFor("client", "spiffe://test/envoy");
    TestCa.Identity other = ca.issueFor("other", "spiffe://test/other");
    write("crl.pem", ca.revocationListPem());
    PortTls tls = open();
    assertThat(tls.recheck(chain(client))).isNull();

    int[] changes = {0};
    tls.onChange(() -> changes[0]++);
    write("crl.pem", ca.revocationListPem(client));
    look();
    assertThat(changes[0]).isEqualTo(1);
    assertThat(tls.recheck(chain(client))).isInstanceOf(ClientTrust.RevokedException.class);
    assertThat(tls.recheck(chain(other))).isNull();

    write("crl.pem", TestCa.create("another").revocationListPem());
    look();
    look();
    assertThat(problem(tls)).contains("crl.pem: the list of CN=another is not signed by");
    assertThat(tls.recheck(chain(client))).isInstanceOf(ClientTrust.RevokedException.class);

    TestCa next = TestCa.create("next");
    next.writeTo(directory);
    write("crl.pem", next.revocationListPem());
    look();
    assertThat(tls.problem()).isNull();
    assertThat(RefusedClients.reason(recheck(tls, other)))
        .isNotNull()
        .extracting(RefusedClients.Reason::word)
        .isEqualTo("untrusted");
  }

  @Test
  void aRevocationListThatIsOverdueStaysInForce() throws Exception {
    TestCa.Identity client = ca.issueFor("client", "spiffe://test/envoy");
    write("crl.pem", ca.revocationListPem(client));
    TlsMaterial material = files().read(time.now());

    assertThat(material.hasOutdatedList(time.now())).isFalse();
    assertThat(material.hasOutdatedList(time.now().plus(Duration.ofMinutes(61)))).isTrue();
    ClientTrust trust = ClientTrust.of(material.clientCa(), material.revoked());
    assertThatThrownBy(() -> trust.check(chain(client)))
        .isInstanceOf(ClientTrust.RevokedException.class);
  }

  private static GeneralSecurityException recheck(PortTls tls, TestCa.Identity client)
      throws Exception {
    GeneralSecurityException problem = tls.recheck(chain(client));
    assertThat(problem).isNotNull();
    return problem == null ? new GeneralSecurityException() : problem;
  }

  private static String problem(PortTls tls) {
    TlsProblem problem = tls.problem();
    return problem == null ? "none" : problem.message();
  }

  private static X509Certificate[] chain(TestCa.Identity identity) throws Exception {
    return new X509Certificate[] {
      (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(
                      identity.certificatePem().getBytes(StandardCharsets.US_ASCII)))
    };
  }
}
