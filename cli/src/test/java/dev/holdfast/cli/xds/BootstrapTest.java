// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.testkit.FakeAdsServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where {@code xds watch} takes its servers from. */
class BootstrapTest {
  private final CapturedOutput captured = new CapturedOutput();

  @TempDir Path directory = Path.of("");

  @Test
  void aBootstrapFileNamesServerAndNode() throws Exception {
    try (FakeAdsServer server = FakeAdsServer.start();
        RunningWatch watch =
            RunningWatch.start("--bootstrap", file(bootstrap(server)).toString(), "cluster/a")) {
      assertThat(server.awaitStream().awaitRequest().getNode().getId()).isEqualTo("from-file");
      assertThat(watch.unread()).isEmpty();
    }
  }

  @Test
  void withoutOptionsTheEnvironmentNamesTheFile() throws Exception {
    try (FakeAdsServer server = FakeAdsServer.start();
        RunningWatch watch =
            RunningWatch.start(
                Map.of("GRPC_XDS_BOOTSTRAP", file(bootstrap(server)).toString()), "cluster/a")) {
      assertThat(server.awaitStream().awaitRequest().getNode().getId()).isEqualTo("from-file");
      assertThat(watch.unread()).isEmpty();
    }
  }

  @Test
  void withoutOptionsTheEnvironmentMayHoldTheContent() throws Exception {
    try (FakeAdsServer server = FakeAdsServer.start();
        RunningWatch watch =
            RunningWatch.start(
                Map.of("GRPC_XDS_BOOTSTRAP_CONFIG", bootstrap(server)), "--delta", "cluster/a")) {
      assertThat(server.awaitDeltaStream().awaitRequest().getNode().getId()).isEqualTo("from-file");
      assertThat(watch.unread()).isEmpty();
    }
  }

  @Test
  void aFileThatIsNotThereIsAnErrorInOneLine() {
    Path missing = directory.resolve("missing.json");

    int exitCode = captured.run("xds", "watch", "--bootstrap", missing.toString());

    assertThat(captured.err()).isEqualTo("holdfast: bootstrap " + missing + ": no such file\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void aFileThatIsWrongIsAnErrorInOneLineThatNamesEveryProblem() throws Exception {
    Path file = file("{\"xds_servers\": [{\"server_uri\": 7}, {\"server_uri\": \"a:1\"}]}");

    int exitCode = captured.run("xds", "watch", "--bootstrap", file.toString());

    assertThat(captured.err())
        .startsWith("holdfast: bootstrap " + file + ": ")
        .contains("xds_servers[0].server_uri", "xds_servers[1].channel_creds")
        .containsOnlyOnce("\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void anEnvironmentThatIsWrongIsAnErrorInOneLine() {
    int exitCode =
        captured.run(Map.of("GRPC_XDS_BOOTSTRAP_CONFIG", "{"), "xds", "watch", "cluster/a");

    assertThat(captured.err())
        .startsWith("holdfast: bootstrap $GRPC_XDS_BOOTSTRAP_CONFIG: ")
        .containsOnlyOnce("\n");
    assertThat(exitCode).isEqualTo(1);
  }

  private Path file(String content) throws Exception {
    return Files.writeString(directory.resolve("bootstrap.json"), content);
  }

  private static String bootstrap(FakeAdsServer server) {
    return """
    {
      "xds_servers": [{
        "server_uri": "%s", "channel_creds": [{"type": "insecure"}]
      }],
      "node": {"id": "from-file"}
    }
    """
        .formatted(server.uri());
  }
}
