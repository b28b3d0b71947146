// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.waiting.LiveReports;
import dev.holdfast.cli.waiting.RunningCommand;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.server.admin.History;
import dev.holdfast.testkit.SharedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happened. */
class HistoryTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final ObjectKey WEB = new ObjectKey("HTTPProxy", "shop", "web");

  private final AdminFixture fixture = new AdminFixture();

  @BeforeEach
  void past() {
    fixture.past.add(new History.Entry(1, AT, "SERVER_STARTED", null, 0, "", "", "", null));
    fixture.past.add(new History.Entry(2, AT, "PROXY_CONNECTED", null, 0, "", "edge-1", "", null));
    fixture.past.add(
        new History.Entry(3, AT, "PROGRAMMED", WEB, 1, "", "", "", Duration.ofNanos(12_345_678)));
    fixture.past.add(
        new History.Entry(
            4, AT, "REJECTED", WEB, 2, "", "", "envoy 1.39.0: bad \u001b[31mlua", null));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void theNewestComesLast() {
    int exitCode = fixture.run("history");

    assertThat(fixture.captured.out())
        .isEqualTo(
            """
            2026-01-02T03:04:05.678Z  SERVER_STARTED
            2026-01-02T03:04:05.678Z  PROXY_CONNECTED     proxy edge-1
            2026-01-02T03:04:05.678Z  PROGRAMMED          HTTPProxy/shop/web generation 1, after 12ms
            2026-01-02T03:04:05.678Z  REJECTED            HTTPProxy/shop/web generation 2: envoy 1.39.0: bad \\u001b[31mlua
            """);
    assertThat(exitCode).isZero();
  }

  @Test
  void onANarrowTerminalDetailsGoBelow() {
    fixture.run(Map.of("COLUMNS", "44"), "history", "--limit", "1");

    assertThat(fixture.captured.out())
        .isEqualTo(
            """
            2026-01-02T03:04:05.678Z  REJECTED
                HTTPProxy/shop/web generation 2: envoy
                1.39.0: bad \\u001b[31mlua
            """);
  }

  @Test
  void onlyOneObjectsPastAndOnlySoMuchOfIt() {
    fixture.run("history", "--object", "httpproxy/shop/web", "--limit", "2", "-o", "json");

    JsonObject json = JsonParser.parseString(fixture.captured.out()).getAsJsonObject();
    assertThat(
            json.getAsJsonArray("items").asList().stream()
                .map(entry -> entry.getAsJsonObject().get("id").getAsLong()))
        .containsExactly(3L, 4L);
  }

  @Test
  void anObjectThatIsGoneStillHasAPast() {
    fixture.past.add(
        new History.Entry(
            5,
            AT,
            "OBJECT_REMOVED",
            new ObjectKey("HTTPProxy", "shop", "old"),
            1,
            "",
            "",
            "",
            null));

    assertThat(fixture.run("history", "--object", "HTTPProxy/shop/old")).isZero();
    assertThat(fixture.captured.out()).contains("OBJECT_REMOVED").doesNotContain("REJECTED");
  }

  @Test
  void whereNothingHappenedThatIsSaid() {
    fixture.past.clear();

    fixture.run("history");

    assertThat(fixture.captured.out()).isEqualTo("no events\n");
  }

  @Test
  void badArgumentsAreExplained() {
    assertThat(fixture.run("history", "--limit", "1001")).isEqualTo(2);
    assertThat(fixture.captured.err()).contains("--limit: 1001 (expected: 1 to 1000)");
    assertThat(fixture.run("history", "--object", "web")).isEqualTo(2);
    assertThat(fixture.run("history", "--object", "HTTPProxy/main")).isEqualTo(1);
  }

  @Test
  void whatHappensIsFollowedAsItHappens() throws Exception {
    LiveReports reports = new LiveReports();
    SharedTime time = new SharedTime();
    try (AdminFixture live = new AdminFixture(reports)) {
      live.past.addAll(fixture.past);
      RunningCommand command =
          RunningCommand.start(
              time, live.with("history", "--follow", "--limit", "1", "-o", "json"));
      command.awaitOut("REJECTED");
      time.awaitTimers(1);

      live.past.add(new History.Entry(5, AT, "RECOVERED", WEB, 3, "", "", "", null));
      live.past.add(
          new History.Entry(6, AT, "PROXY_DISCONNECTED", null, 0, "", "edge-1", "", null));
      reports.tell();
      command.awaitOut("PROXY_DISCONNECTED");
      live.past.add(new History.Entry(7, AT, "SERVER_STOPPED", null, 0, "", "", "", null));
      time.awaitTimers(1);
      time.advance(Duration.ofSeconds(5)); // no event, but a look
      command.awaitOut("SERVER_STOPPED");

      assertThat(command.interrupt()).isZero();
      assertThat(command.lines().stream().map(line -> JsonParser.parseString(line)))
          .extracting(entry -> entry.getAsJsonObject().get("id").getAsLong())
          .containsExactly(4L, 5L, 6L, 7L);
    }
  }

  @Test
  void aServerThatGoesAwayIsWaitedFor() throws Exception {
    SharedTime time = new SharedTime();
    RunningCommand command = RunningCommand.start(time, fixture.with("history", "-f"));
    command.awaitOut("REJECTED");
    time.awaitTimers(1);
    fixture.close();
    time.advance(Duration.ofSeconds(5));
    time.awaitTimers(1);

    assertThat(command.interrupt()).isZero();
    assertThat(command.err())
        .contains(" cannot be reached: ")
        .endsWith("; will continue when the server is back\n");
  }
}
