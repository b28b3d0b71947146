// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.admin.ServerInfo;
import dev.holdfast.server.admin.SourceReport;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server has read of its cluster, over a real connection. */
@SuppressWarnings("NullAway.Init") // set by start()
class KubernetesStatusTest {
  private final CapturedOutput captured = new CapturedOutput();
  private SourceReport source = SourceReport.of("files", "examples/shop");
  private AdminServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        AdminServer.start(
            new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), ""),
            new FixedReports(captured.time().now()),
            query -> List.of(),
            new ServerInfo("1.2.3", null, "", () -> null, () -> source));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run() {
    return captured.run("kubernetes", "status", "--server", "http://" + server.address());
  }

  private SourceReport.Kind kind(String kind, String state, String reason) {
    Instant since = captured.time().now().minus(Duration.ofMinutes(5));
    return new SourceReport.Kind(kind, "", state, reason, since, 12);
  }

  @Test
  void aClusterThatIsReadToTheEnd() {
    source =
        new SourceReport(
            "kubernetes",
            "Kubernetes context prod",
            "holdfast-1",
            List.of(kind("HTTPProxy", "current", ""), kind("Secret", "current", "")),
            0);

    assertThat(run()).isEqualTo(ExitCode.OK);
    assertThat(captured.out())
        .isEqualTo(
            """
            KIND       NAMESPACE  OBJECTS  STATE    SINCE  REASON
            HTTPProxy  (all)      12       current
            Secret     (all)      12       current

            Kubernetes context prod; holdfast-1 leads; 0 statuses wait to be written
            """);
  }

  @Test
  void aKindThatIsStale() {
    source =
        new SourceReport(
            "kubernetes",
            "Kubernetes",
            "",
            List.of(
                kind("HTTPProxy", "stale", "connection refused"),
                kind("ExtensionPolicy", "unknown", "not installed")),
            2);

    assertThat(run()).isEqualTo(ExitCode.DIFFERENT);
    assertThat(captured.out())
        .contains("HTTPProxy        (all)      12       stale    5m     connection refused")
        .contains("Kubernetes; 2 statuses wait to be written");
  }

  @Test
  void aServerThatReadsFiles() {
    assertThat(run()).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("this server reads examples/shop (expected: ");
  }
}
