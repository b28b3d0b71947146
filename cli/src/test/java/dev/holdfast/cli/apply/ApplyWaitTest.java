// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import static dev.holdfast.cli.apply.ApplyFixture.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.waiting.RunningCommand;
import dev.holdfast.controlplane.report.ProxyCounts;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of what was written. */
@SuppressWarnings("NullAway.Init") // set by start()
class ApplyWaitTest {
  private static final ProxyCounts NONE = new ProxyCounts(2, 0, 2, 0);
  private static final ProxyCounts ALL = new ProxyCounts(2, 2, 0, 0);
  private static final ProxyCounts REFUSED = new ProxyCounts(2, 1, 0, 1);
  private static final String A = "Service/default/a";
  private static final String B = "Service/default/b";

  @TempDir Path root;
  private ApplyFixture fixture;

  @BeforeEach
  void start() {
    fixture = new ApplyFixture(root);
    fixture.served("a.yaml", service("a"));
    fixture.reports.set(A, 4, "True", "Programmed", ALL);
    fixture.source("x.yaml", service("a").replace("80", "81") + "---\n" + service("b"));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void aGoodSetIsWaitedForUntilItRunsEverywhere() throws Exception {
    RunningCommand command = fixture.apply("--wait");
    command.awaitOut("the server has only seen generation 4");
    fixture.time.awaitTimers(2);
    fixture.reports.set(A, 5, "Unknown", "Pending", NONE);
    fixture.reports.set(B, 1, "True", "Programmed", ALL).tell();
    command.awaitOut("pending: generation 5");
    fixture.time.awaitTimers(2);
    fixture.reports.set(A, 5, "True", "Programmed", ALL).tell();

    assertThat(command.exitCode()).isZero();
    assertThat(command.lines().subList(2, command.lines().size()))
        .containsExactly(
            "Service/default/a: the server has only seen generation 4",
            "Service/default/b: the server has no such object",
            "Service/default/a: pending: generation 5, 0 of 2 proxies",
            "Service/default/b: programmed: generation 1, 2 of 2 proxies",
            "Service/default/a: programmed: generation 5, 2 of 2 proxies");
  }

  @Test
  void ofAMixedSetTheBadOneIsNamedAndTheGoodOneRuns() throws Exception {
    RunningCommand command = fixture.apply("--wait", "-o", "json");
    fixture.time.awaitTimers(2);
    fixture.reports.set(B, 1, "True", "Programmed", ALL);
    fixture.reports.set(A, 5, "False", "Rejected", REFUSED).tell();

    assertThat(command.exitCode()).isEqualTo(3);
    JsonObject json = JsonParser.parseString(command.out()).getAsJsonObject();
    assertThat(json.get("outcome").getAsString()).isEqualTo("rejected");
    JsonObject bad = json.getAsJsonArray("objects").get(0).getAsJsonObject();
    assertThat(bad.get("action").getAsString()).isEqualTo("changed");
    assertThat(bad.get("generation").getAsLong()).isEqualTo(5);
    assertThat(bad.get("state").getAsString()).isEqualTo("rejected");
    assertThat(bad.get("message").getAsString()).isEqualTo("generation 5 rejected by envoy 1.39.0");
    JsonObject good = json.getAsJsonArray("objects").get(1).getAsJsonObject();
    assertThat(good.get("state").getAsString()).isEqualTo("programmed");
  }

  @Test
  void whatIsUsedByNobodyIsNoReasonToWait() throws Exception {
    RunningCommand command = fixture.apply("--wait");
    fixture.time.awaitTimers(2);
    fixture.reports.set(A, 5, "True", "Programmed", ALL);
    fixture.reports.set(B, 1, "False", "NotReferenced", new ProxyCounts(0, 0, 0, 0)).tell();

    assertThat(command.exitCode()).isZero();
    assertThat(command.out())
        .contains("Service/default/b: not referenced: generation 1, NotReferenced: ");
  }

  @Test
  void afterTheTimeoutItIsSaidWhatIsMissing() throws Exception {
    RunningCommand command = fixture.apply("--wait", "--timeout", "10s");
    fixture.time.awaitTimers(2);
    fixture.time.advance(Duration.ofSeconds(10));

    assertThat(command.exitCode()).isEqualTo(4);
    assertThat(command.lines())
        .endsWith(
            "Service/default/a: timed out: the server has only seen generation 4",
            "Service/default/b: timed out: the server has no such object");
  }

  @Test
  void whatWasThereAlreadyIsWaitedForAsItIs() throws Exception {
    fixture.source("x.yaml", service("a"));

    RunningCommand command = fixture.apply("--wait");

    assertThat(command.exitCode()).isZero();
    assertThat(command.lines())
        .last()
        .isEqualTo("Service/default/a: programmed: generation 4, 2 of 2 proxies");
  }

  @Test
  void newLabelsMakeNoGenerationButTheServerIsGivenTimeToReadThem() throws Exception {
    fixture.source("x.yaml", service("a").replace("name: a", "name: a, labels: {x: y}"));
    RunningCommand command = fixture.apply("--wait");
    fixture.time.awaitTimers(1);
    fixture.reports.set(A, 4, "False", "Rejected", REFUSED);
    fixture.time.advance(Duration.ofSeconds(2));

    assertThat(command.exitCode()).isEqualTo(3);
  }
}
