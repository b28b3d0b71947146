// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deletions that wait for a confirmation, over a real connection. */
@SuppressWarnings("NullAway.Init") // set by start()
class ConfirmTest {
  private final CapturedOutput captured = new CapturedOutput();
  private final FixedReports reports = new FixedReports(captured.time().now());
  private AdminServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        AdminServer.start(
            new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), ""),
            reports,
            query -> List.of(),
            "1.2.3");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", "http://" + server.address()));
    return captured.run(all.toArray(String[]::new));
  }

  @Test
  void whatWaitsIsListedWithTheWaysOut() {
    reports.deleteSome();

    int exitCode = run("get", "deletions");

    assertThat(captured.out())
        .isEqualTo(
            """
            NAMESPACE  KIND       NAME  GENERATION  AGE
            shop       HTTPProxy  web   2           0s
            shop       Service    web   1           0s

            still served; with them disappear 1 host ('holdfast confirm' deletes them, putting them back undoes it)
            """);
    assertThat(exitCode).isZero();
  }

  @Test
  void nothingWaits() {
    assertThat(run("get", "deletions")).isZero();
    assertThat(captured.out()).isEqualTo("no deletion waits for a confirmation\n");
  }

  @Test
  void whatIsConfirmedIsSaid() {
    reports.deleteSome();

    int exitCode = run("confirm");

    assertThat(captured.out())
        .isEqualTo(
            """
            HTTPProxy/shop/web: deleted
            Service/shop/web: deleted
            1 host is no longer served
            """);
    assertThat(exitCode).isZero();
  }

  @Test
  void thereMustBeSomethingToConfirm() {
    assertThat(run("confirm")).isEqualTo(1);
    assertThat(captured.err()).contains("no deletion waits for a confirmation");
  }
}
