// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.NamePattern;
import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.options.AdminRole;
import dev.holdfast.server.options.AdminSecurity;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.testkit.TestCa;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that talk to an admin port with TLS. */
class SecureServerTest {
  private final CapturedOutput captured = new CapturedOutput();
  private final FixedReports reports = new FixedReports(captured.time().now());
  private final TestCa ca = TestCa.create("ours");
  private @TempDir Path directory;

  private Path files(String name, TestCa.Identity identity) throws Exception {
    Path files = Files.createDirectories(directory.resolve(name));
    ca.writeTo(files);
    identity.writeTo(files);
    return files;
  }

  private int run(AdminServer server, Path own, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of(
            "--server",
            server.url(),
            "--ca",
            own.resolve("ca.pem").toString(),
            "--certificate",
            own.resolve("cert.pem").toString(),
            "--key",
            own.resolve("key.pem").toString()));
    return captured.run(all.toArray(String[]::new));
  }

  @Test
  void aCertificateSaysWhatACommandMayDo() throws Exception {
    Path own = files("server", ca.issue("server"));
    AdminSecurity security =
        new AdminSecurity(
            List.of(),
            new TlsFiles(
                own.resolve("cert.pem"), own.resolve("key.pem"), own.resolve("ca.pem"), null),
            List.of(
                new AdminSecurity.Identity(new NamePattern("ops.example"), AdminRole.OPERATE),
                new AdminSecurity.Identity(new NamePattern("*"), AdminRole.READ)));
    try (AdminServer server =
        AdminServer.start(
            new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), security),
            reports,
            query -> List.of(),
            "1.2.3")) {
      reports.deleteSome();
      Path reader = files("reader", ca.issueFor("x", "reader.example"));
      assertThat(run(server, reader, "get", "deletions")).isZero();
      assertThat(run(server, reader, "confirm")).isEqualTo(1);
      assertThat(captured.err())
          .contains("role: reader.example may only read (expected: the role operate)");

      Path operator = files("operator", ca.issueFor("x", "ops.example"));
      assertThat(run(server, operator, "confirm")).isZero();

      assertThat(captured.run("get", "objects", "--server", server.url())).isEqualTo(1);
      assertThat(captured.err()).contains("cannot be trusted, or does not trust us: ", "--ca");
      String plain = server.url().replace("https", "http");
      assertThat(run(server, reader, "get", "objects", "--token-file", "none")).isEqualTo(1);
      assertThat(captured.run("get", "objects", "--server", plain, "--ca", "ca.pem")).isEqualTo(2);
      assertThat(captured.err()).contains("without TLS (expected: --server https://...)");
    }
  }
}
