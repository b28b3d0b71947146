// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.certs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.tls.KeyAndChain;
import dev.holdfast.base.tls.PemFiles;
import dev.holdfast.cli.CapturedOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificates that {@code holdfast certs} makes. */
class CertsCommandTest {
  private final CapturedOutput captured = new CapturedOutput();
  private @TempDir Path directory;

  private int run(String... more) {
    return captured.run(
        Stream.concat(Stream.of("certs", directory.resolve("tls").toString()), Stream.of(more))
            .toArray(String[]::new));
  }

  private KeyAndChain read(String name) throws Exception {
    Path tls = directory.resolve("tls");
    return PemFiles.keyAndChain(tls.resolve(name + ".pem"), tls.resolve(name + "-key.pem"));
  }

  private static List<?> names(KeyAndChain pair) throws Exception {
    return pair.certificate().getSubjectAlternativeNames().stream()
        .map(name -> name.get(1))
        .toList();
  }

  @Test
  void everybodyGetsACertificateOfOneAuthority() throws Exception {
    assertThat(
            run(
                "--server",
                "::1",
                "--server",
                "xds.example",
                "--proxy",
                "edge-1",
                "--operator",
                "ann"))
        .isZero();

    X509Certificate ca = read("ca").certificate();
    assertThat(ca.getBasicConstraints()).isGreaterThanOrEqualTo(0);
    ca.verify(ca.getPublicKey());
    for (String name : List.of("server", "edge-1", "ann")) {
      X509Certificate certificate = read(name).certificate();
      certificate.verify(ca.getPublicKey());
      assertThat(certificate.getIssuerX500Principal()).isEqualTo(ca.getSubjectX500Principal());
      assertThat(certificate.getBasicConstraints()).as("signs nothing").isEqualTo(-1);
      assertThat(certificate.getNotAfter().toInstant())
          .isEqualTo(captured.time().now().plus(Duration.ofDays(30)));
    }
    assertThat(names(read("server")).toString())
        .isEqualTo("[localhost, 127.0.0.1, 0:0:0:0:0:0:0:1, xds.example]");
    assertThat(names(read("edge-1")).toString()).isEqualTo("[spiffe://holdfast/proxy/edge-1]");
    assertThat(captured.lines())
        .hasSize(4)
        .last()
        .asString()
        .endsWith("ann.pem: spiffe://holdfast/operator/ann, valid for 30 days");
    try (Stream<Path> files = Files.list(directory.resolve("tls"))) {
      for (Path file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as("%s", file)
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void theAuthorityStaysAndCertificatesAreRenewed() throws Exception {
    run("--proxy", "edge-1");
    X509Certificate ca = read("ca").certificate();
    X509Certificate first = read("edge-1").certificate();

    assertThat(run("--proxy", "edge-1", "--days", "1")).isZero();

    assertThat(read("ca").certificate()).isEqualTo(ca);
    assertThat(read("edge-1").certificate().getSerialNumber())
        .isNotEqualTo(first.getSerialNumber());
    read("edge-1").certificate().verify(ca.getPublicKey());
  }

  @Test
  void badArgumentsAreExplained() throws Exception {
    assertThat(run("--proxy", "../edge")).isEqualTo(2);
    assertThat(run("--operator", "server")).isEqualTo(2);
    assertThat(run("--days", "0")).isEqualTo(2);
    assertThat(captured.err())
        .contains("'../edge' (expected: a name of letters, digits and . _ -)")
        .contains("--days: 0 (expected: 1 to 3650)");
    assertThat(Files.exists(directory.resolve("tls"))).isFalse();

    Files.createDirectories(directory.resolve("tls"));
    Files.writeString(directory.resolve("tls/ca.pem"), "not a certificate");
    assertThat(run()).isEqualTo(1);
    assertThat(captured.err()).contains("ca.pem");
  }
}
