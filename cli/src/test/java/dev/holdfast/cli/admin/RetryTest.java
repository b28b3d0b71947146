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

/** Trying again by hand, over a real connection. */
@SuppressWarnings("NullAway.Init") // set by start()
class RetryTest {
  private final CapturedOutput captured = new CapturedOutput();
  private AdminServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        AdminServer.start(
            new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), ""),
            new FixedReports(captured.time().now()),
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
  void whatIsTriedIsSaid() {
    int exitCode = run("retry", "httpproxy/web", "-n", "shop");

    assertThat(captured.out())
        .isEqualTo(
            "HTTPProxy/shop/web: generation 2 is tried again ('holdfast describe"
                + " HTTPProxy/shop/web' shows what comes of it)\n");
    assertThat(exitCode).isZero();
  }

  @Test
  void programsAreToldInTheirWords() {
    run("retry", "HTTPProxy/shop/web", "-o", "yaml");

    assertThat(captured.out())
        .isEqualTo(
            """
            kind: HTTPProxy
            namespace: shop
            name: web
            generation: 2
            """);
  }

  @Test
  void oneThatIsNotHeldIsAFailure() {
    int exitCode = run("retry", "HTTPProxy/shop/main");

    assertThat(captured.err())
        .isEqualTo(
            "holdfast: HTTPProxy/shop/main: not held ('holdfast get holds' lists those that"
                + " are)\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void oneThatDoesNotExistIsAFailure() {
    int exitCode = run("retry", "HTTPProxy/shop/nobody");

    assertThat(captured.err()).contains("HTTPProxy/shop/nobody: there is no such object");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void aNameThatIsNoneIsABadArgument() {
    assertThat(run("retry", "web")).isEqualTo(2);
    assertThat(run("retry")).isEqualTo(2);
  }
}
