// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code xds watch --csds-port} as {@code xds status} sees it. */
class CsdsPortTest {
  private static final String ANNOUNCEMENT = "holdfast: serving CSDS on localhost:";

  private final FakeAdsServer server = FakeAdsServer.start();
  private final CapturedOutput status = new CapturedOutput();

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Test
  void theStateOfTheWatchIsVisibleFromOutside() throws Exception {
    try (RunningWatch watch =
        RunningWatch.start(
            "--server",
            server.uri(),
            "--node-id",
            "me",
            "--csds-port",
            "0",
            "-ojson",
            "cluster/a")) {
      String announcement = watch.errorLine();
      assertThat(announcement).matches(ANNOUNCEMENT + "[1-9][0-9]*");
      server
          .awaitStream()
          .send(
              SotwResponse.of(TypeUrls.CLUSTER, "7", "n").with(Resources.edsCluster("a")).build());
      watch.line();

      int exitCode =
          status.run("xds", "status", "localhost:" + announcement.substring(ANNOUNCEMENT.length()));

      assertThat(exitCode).isZero();
      assertThat(status.lines().get(0)).startsWith("node me");
      assertThat(status.lines().get(2)).matches("cluster  a     ACKED  7        [0-9dhms]+");
    }
  }

  @Test
  void aPortThatIsTakenIsAnErrorInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());

      int exitCode =
          status.run("xds", "watch", "--server", server.uri(), "--csds-port", port, "cluster/a");

      assertThat(status.err())
          .isEqualTo(
              "holdfast: cannot serve CSDS on port "
                  + port
                  + ": Address already in use (--csds-port 0 picks a free one)\n");
      assertThat(exitCode).isEqualTo(1);
    }
  }
}
