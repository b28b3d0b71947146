// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static dev.holdfast.testkit.TypeUrls.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./holdfast} as a program: its arguments, environment, streams and exit codes. */
@Execution(ExecutionMode.CONCURRENT)
class HoldfastProcessTest {
  private static final Path ROOT = TestSources.repositoryRoot();

  /** What a command that ended had to say. */
  private record Outcome(int exitCode, String out, String err) {}

  private static List<String> holdfast(String... arguments) {
    List<String> command = new ArrayList<>(List.of(ROOT.resolve("holdfast").toString(), "xds"));
    command.addAll(List.of(arguments));
    return command;
  }

  private static Outcome run(String... arguments) throws Exception {
    Process process = new ProcessBuilder(holdfast(arguments)).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out, err);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2 | watch --server localhost:1 --bootstrap x.json
          2 | watch --server localhost:1 service/a
          2 | watch --server localhost:1 cluster/
          2 | watch --server localhost
          2 | watch --server localhost:1 -o yaml
          2 | watch --server localhost:1 --server-feature nonsense
          2 | watch --server localhost:1 --csds-port 65536
          2 | watch --bootstrap x.json --node-id me
          2 | watch --nonsense
          2 | status
          2 | status localhost
          2 | nonsense
          1 | watch --bootstrap /does/not/exist.json cluster/a
          1 | watch --bootstrap /dev/null cluster/a
          1 | status localhost:1
          1 | status [::1]:1
          """)
  void whatCannotBeDoneIsOneLineAndAnExitCode(int exitCode, String arguments) throws Exception {
    Outcome outcome = run(arguments.split(" "));

    assertThat(outcome.err).matches("holdfast: [^\\n]+\\n");
    assertThat(outcome.err).doesNotContain("Exception", "\tat ");
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.exitCode).isEqualTo(exitCode);
  }

  @Test
  void namesOfAllKindsSurviveWhateverTheLocale() throws Exception {
    String odd = "a b/ü/日本/😀";
    try (FakeAdsServer server = FakeAdsServer.start()) {
      ProcessBuilder builder =
          new ProcessBuilder(
              holdfast("watch", "--server", server.uri(), "-o", "json", "cluster/" + odd));
      builder.environment().keySet().removeIf(key -> key.equals("LANG") || key.startsWith("LC_"));
      builder.environment().put("LC_ALL", "C");
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      Process process = builder.start();
      try {
        AdsScript stream = AdsScript.next(server, /* delta= */ false);
        stream.awaitSubscription(CLUSTER, odd);
        stream.reply(new Reply(CLUSTER, "1").with(odd, Resources.edsCluster(odd)));
        JsonObject line =
            JsonParser.parseString(process.inputReader().readLine()).getAsJsonObject();
        assertThat(line.get("name").getAsString()).isEqualTo(odd);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void carriageReturnsEndOfInputAndSignalsAreNoTrouble() throws Exception {
    try (FakeAdsServer server = FakeAdsServer.start();
        LineProcess watch =
            new LineProcess(ROOT, holdfast("watch", "--server", server.uri(), "-o", "json"))) {
      watch.send("watch cluster a\r");
      AdsScript stream = AdsScript.next(server, /* delta= */ false);
      stream.awaitSubscription(CLUSTER, "a");
      stream.reply(new Reply(CLUSTER, "1").with("a", Resources.edsCluster("a")));
      watch.await("the cluster", line -> line.contains("resource_changed"));
      watch.send("dump\r");
      watch.await("the dump", line -> line.contains("\"cache_state\":\"acked\""));

      watch.endInput();
      stream.reply(new Reply(CLUSTER, "2").with("a", Resources.edsCluster("a", "other")));
      watch.await("the change", line -> line.contains("\"version\":\"2\""));

      watch.signal("TERM");
      assertThat(watch.exitCode()).isEqualTo(143);
    }
  }

  @Test
  void theErrorsOfAWatchAreInTheStatusOfItsProcess() throws Exception {
    try (FakeAdsServer server = FakeAdsServer.start();
        WatchRun watch =
            WatchRun.start("--server", server.uri(), "--csds-port", "0", "cluster/a", "route/r")) {
      AdsScript stream = AdsScript.next(server, /* delta= */ false);
      stream.awaitSubscription(CLUSTER, "a");
      stream.reply(new Reply(CLUSTER, "1").with("a", Resources.edsCluster("a")));
      watch.expect("resource_changed", "OK");
      stream.reply(new Reply(CLUSTER, "2").error("a", 7, "team blue may not use a"));
      watch.expect("ambient_error", "PERMISSION_DENIED");
      String address = watch.errorLine().replaceFirst("^.* on ", "");

      Outcome table = run("status", address);
      assertThat(table.out.lines())
          .anyMatch(line -> line.matches("cluster +a +RECEIVED_ERROR +1 +\\S+.*team blue.*"))
          .anyMatch(line -> line.matches("route +r +REQUESTED.*"));
      Outcome json = run("status", address, "-o", "json");
      assertThat(json.out).contains("team blue may not use a", "\"RECEIVED_ERROR\"");
      Outcome none = run("status", server.uri());
      assertThat(none.err).matches("holdfast: [^\\n]* does not serve CSDS [^\\n]*\\n");
      assertThat(none.exitCode).isEqualTo(1);
    }
  }

  @Test
  void quitInTheMiddleOfAFloodEndsAtOnce() throws IOException, InterruptedException {
    try (FakeAdsServer server = FakeAdsServer.start();
        LineProcess watch =
            new LineProcess(
                ROOT, holdfast("watch", "--server", server.uri(), "-o", "json", "cluster/a"))) {
      AdsScript stream = AdsScript.next(server, /* delta= */ false);
      stream.awaitSubscription(CLUSTER, "a");
      for (int i = 0; i < 200; i++) {
        stream.reply(
            new Reply(CLUSTER, "v" + i).with("a", Resources.edsCluster("a", "service" + i)));
      }
      watch.send("quit");
      assertThat(watch.exitCode()).isZero();
      for (String line : watch.allLines()) {
        assertThat(JsonParser.parseString(line).isJsonObject()).isTrue(); // none was cut
      }
    }
  }
}
