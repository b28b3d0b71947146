// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.testkit.SharedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting for proxies, by events and by looking. */
@SuppressWarnings("NullAway.Init") // set by start()
class WaitTest {
  private static final String WEB = "HTTPProxy/shop/web";
  private static final ProxyCounts ONE_OF_THREE = new ProxyCounts(3, 1, 2, 0);
  private static final ProxyCounts ALL = new ProxyCounts(3, 3, 0, 0);

  private final LiveReports reports = new LiveReports();
  private final SharedTime time = new SharedTime();
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

  private RunningCommand run(String... arguments) {
    return RunningCommand.start(time, arguments(arguments));
  }

  private String[] arguments(String... arguments) {
    List<String> all = new ArrayList<>(List.of("wait"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--server", "http://" + server.address()));
    return all.toArray(String[]::new);
  }

  @Test
  void whatIsProgrammedAlreadyIsNotWaitedFor() throws Exception {
    reports.set(WEB, 2, "True", "Programmed", ALL);

    RunningCommand command = run("httpproxy/web");

    assertThat(command.exitCode()).isZero();
    assertThat(command.out())
        .isEqualTo("HTTPProxy/shop/web: programmed: generation 2, 3 of 3 proxies\n");
    assertThat(reports.reads()).isEqualTo(1);
  }

  @Test
  void anEventIsEnoughWithoutAnyTimePassing() throws Exception {
    reports.set(WEB, 2, "Unknown", "Pending", ONE_OF_THREE);
    RunningCommand command = run(WEB);
    command.awaitOut("1 of 3");
    time.awaitTimers(2);

    reports.set(WEB, 2, "True", "Programmed", ALL).tell();

    assertThat(command.exitCode()).isZero();
    assertThat(command.lines())
        .containsExactly(
            "HTTPProxy/shop/web: pending: generation 2, 1 of 3 proxies",
            "HTTPProxy/shop/web: programmed: generation 2, 3 of 3 proxies");
  }

  @Test
  void whatIsNoEventIsSeenByLookingNowAndThen() throws Exception {
    reports.set(WEB, 2, "Unknown", "Pending", ONE_OF_THREE);
    RunningCommand command = run(WEB);
    command.awaitOut("1 of 3");

    reports.set(WEB, 2, "Unknown", "Pending", new ProxyCounts(3, 2, 1, 0));
    time.awaitTimers(2);
    time.advance(Duration.ofMillis(500));
    command.awaitOut("2 of 3");
    reports.set(WEB, 2, "True", "Programmed", ALL);

    assertThat(command.exitCode(() -> time.advance(Duration.ofMillis(500)))).isZero();
  }

  @Test
  void aRejectionIsToldWithItsReason() throws Exception {
    reports.set(WEB, 3, "False", "Rejected", new ProxyCounts(1, 0, 0, 1));

    RunningCommand command = run(WEB);

    assertThat(command.exitCode()).isEqualTo(3);
    assertThat(command.out())
        .isEqualTo("HTTPProxy/shop/web: rejected: generation 3 rejected by envoy 1.39.0\n");
  }

  @Test
  void afterTheTimeoutWhatIsMissingIsTold() throws Exception {
    reports.set(WEB, 2, "Unknown", "NoDataPlane", new ProxyCounts(0, 0, 0, 0));
    RunningCommand command = run(WEB, "HTTPProxy/shop/none", "--timeout", "2m");
    time.awaitTimers(2);
    time.advance(Duration.ofSeconds(119));
    time.awaitTimers(2);
    time.advance(Duration.ofSeconds(1));

    assertThat(command.exitCode()).isEqualTo(4);
    assertThat(command.lines())
        .endsWith(
            "HTTPProxy/shop/web: timed out: pending: generation 2, 0 of 0 proxies, NoDataPlane",
            "HTTPProxy/shop/none: timed out: the server has no such object");
  }

  @Test
  void anOlderGenerationIsNotTheOneThatIsWaitedFor() throws Exception {
    reports.set(WEB, 2, "True", "Programmed", ALL);
    RunningCommand command = run(WEB, "--generation", "3");
    command.awaitOut("the server has only seen generation 2");
    time.awaitTimers(2);

    reports.set(WEB, 3, "True", "Programmed", ALL).tell();

    assertThat(command.exitCode()).isZero();
  }

  @Test
  void oneRejectionDoesNotKeepTheOthersFromBeingWaitedFor() throws Exception {
    reports.set(WEB, 2, "False", "Rejected", new ProxyCounts(1, 0, 0, 1));
    reports.set("HTTPProxy/shop/api", 2, "Unknown", "Pending", ONE_OF_THREE);
    RunningCommand command = run(WEB, "HTTPProxy/shop/api", "-o", "json");
    time.awaitTimers(2);

    reports.set("HTTPProxy/shop/api", 2, "True", "Programmed", ALL).tell();

    assertThat(command.exitCode()).isEqualTo(3);
    assertThat(command.out())
        .isEqualTo(
            """
            {
              "outcome": "rejected",
              "objects": [
                {
                  "kind": "HTTPProxy",
                  "namespace": "shop",
                  "name": "web",
                  "generation": 2,
                  "state": "rejected",
                  "reason": "Rejected",
                  "message": "generation 2 rejected by envoy 1.39.0",
                  "proxies": {
                    "total": 1,
                    "programmed": 0,
                    "pending": 0,
                    "rejected": 1
                  }
                },
                {
                  "kind": "HTTPProxy",
                  "namespace": "shop",
                  "name": "api",
                  "generation": 2,
                  "state": "programmed",
                  "reason": "Programmed",
                  "message": "",
                  "proxies": {
                    "total": 3,
                    "programmed": 3,
                    "pending": 0,
                    "rejected": 0
                  }
                }
              ]
            }
            """);
  }

  @Test
  void removalCanBeWaitedFor() throws Exception {
    reports.set(WEB, 2, "True", "Programmed", ALL);
    RunningCommand command = run(WEB, "--for", "removed", "-o", "yaml");
    time.awaitTimers(2);

    reports.remove(WEB).tell();

    assertThat(command.exitCode()).isZero();
    assertThat(command.out()).startsWith("outcome: removed\n");
  }

  @Test
  void manyObjectsAreReadAtOnce() throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      names.add("HTTPProxy/shop/web-" + i);
      reports.set("HTTPProxy/shop/web-" + i, 1, "True", "Programmed", ALL);
    }
    assertThat(run(names.toArray(String[]::new)).exitCode()).isZero();
    assertThat(reports.reads()).isEqualTo(1);
  }

  @Test
  void onATerminalABarIsDrawnAnewInItsPlace() throws Exception {
    reports.set(WEB, 2, "Unknown", "Pending", ONE_OF_THREE);
    RunningCommand command = RunningCommand.onTerminal(time, 80, arguments(WEB));
    command.awaitOut("1/3");
    time.awaitTimers(2);
    reports.set(WEB, 2, "True", "Programmed", ALL).tell();

    assertThat(command.exitCode()).isZero();
    assertThat(command.lines().get(0))
        .isEqualTo("HTTPProxy/shop/web  [######--------------] 1/3  pending");
    assertThat(command.out())
        .contains("\u001b[1A\u001b[JHTTPProxy/shop/web  [####################] 3/3  programmed\n")
        .endsWith(
            "\u001b[1A\u001b[JHTTPProxy/shop/web: programmed: generation 2, 3 of 3 proxies\n");
  }

  @Test
  void aBarFitsANarrowTerminal() throws Exception {
    reports.set(WEB, 2, "False", "NotReferenced", new ProxyCounts(0, 0, 0, 0));
    RunningCommand command = RunningCommand.onTerminal(time, 40, arguments(WEB, "--timeout", "0s"));
    time.awaitTimers(1);
    time.advance(Duration.ZERO);

    assertThat(command.exitCode()).isEqualTo(4);
    assertThat(command.lines().get(0))
        .hasSizeLessThanOrEqualTo(40)
        .isEqualTo("HTTPProx…  [------] 0/0  not-referenced");
  }

  @Test
  void aServerThatComesBackIsNoFailure() throws Exception {
    reports.set(WEB, 2, "Unknown", "Pending", ONE_OF_THREE);
    RunningCommand command = run(WEB, "--timeout", "1s");
    time.awaitTimers(2);
    server.close();
    time.advance(Duration.ofSeconds(1));

    assertThat(command.exitCode()).isEqualTo(4);
    assertThat(command.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web",
        "HTTPProxy/web --timeout soon",
        "HTTPProxy/web --timeout 25h",
        "HTTPProxy/web --for happy",
        "HTTPProxy/a HTTPProxy/b --generation 3",
        "HTTPProxy/a --generation -1"
      })
  void badArgumentsAreExplained(String line) throws Exception {
    RunningCommand command = run(line.split(" "));

    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.err()).contains("expected");
  }

  @Test
  void aNameThatMeansSeveralObjectsIsRefused() throws Exception {
    reports.set("HTTPProxy/a/web", 1, "True", "Programmed", ALL);
    reports.set("HTTPProxy/b/web", 1, "True", "Programmed", ALL);
    RunningCommand command = run("HTTPProxy/web");

    assertThat(command.exitCode()).isEqualTo(1);
    assertThat(command.err())
        .isEqualTo(
            "holdfast: HTTPProxy/web: exists in several namespaces (expected: KIND/NAMESPACE/NAME, such as"
                + " HTTPProxy/a/web)\n");
  }
}
