// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs are found by what they say, and one that does not start is given up. */
class LocalEnvoyTest {
  private static final String VERSION =
      "[ \"$1\" = --version ] && echo 'envoy  version: 9b5f/1.39.0/Clean/RELEASE/BoringSSL' && exit\n";

  @TempDir Path directory;

  private Path program(String name, String script) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  @Test
  void programsAreFoundByPathAndEnvironment() throws Exception {
    Path envoy = program("envoy", VERSION);

    assertThat(EnvoyProgram.find(List.of(envoy), Map.of())).hasToString("[envoy 1.39.0]");
    assertThat(EnvoyProgram.find(List.of(), Map.of("ENVOY", envoy.toString()))).hasSize(1);
    assertThat(EnvoyProgram.find(List.of(), Map.of("PATH", "/nowhere:" + directory))).hasSize(1);
    assertThat(EnvoyProgram.find(List.of(), Map.of("PATH", "/nowhere"))).isEmpty();
    assertThatThrownBy(() -> EnvoyProgram.at(directory.resolve("none")))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("no such program");
    Path other = program("other", "echo hello\n");
    assertThatThrownBy(() -> EnvoyProgram.at(other)).hasMessageContaining("no Envoy");
  }

  @Test
  void oneThatDoesNotStartIsGivenUpWithItsLastWords() throws Exception {
    Path broken = program("broken", VERSION + "echo 'no such field' >&2; exit 3\n");
    LocalEnvoy envoy =
        LocalEnvoy.start(
            EnvoyProgram.at(broken),
            EnvoyBootstrap.of("n", "c", 0, new ListenAddress("127.0.0.1", 1)),
            new LocalEnvoy.Settings(Duration.ofSeconds(5), Duration.ofSeconds(5), 0, 7));
    try {
      await(() -> envoy.broken() != null);
      assertThat(envoy.broken()).contains("does not start: ended with exit code 3: no such field");
      assertThat(envoy.isReady()).isFalse();
    } finally {
      envoy.close();
    }
  }

  @Test
  void oneHasALowerPriorityThanThisProcess() throws Exception {
    Process ours = new ProcessBuilder("nice").start();
    int niceness =
        Integer.parseInt(new String(ours.getInputStream().readAllBytes(), UTF_8).strip());
    Path program = program("polite", VERSION + "echo \"niceness $(nice)\"; exit 3\n");
    LocalEnvoy envoy =
        LocalEnvoy.start(
            EnvoyProgram.at(program),
            EnvoyBootstrap.of("n", "c", 0, new ListenAddress("127.0.0.1", 1)),
            new LocalEnvoy.Settings(Duration.ofSeconds(5), Duration.ofSeconds(5), 0, 7));
    try {
      await(() -> envoy.ended() > 0);
      assertThat(envoy.exits().get(0).lastWords())
          .containsExactly("niceness " + Math.min(19, niceness + 7));
    } finally {
      envoy.close();
    }
  }

  /** It may be slow because the machine is busy; one that computes all the time is not. */
  @Test
  void oneThatComputesAndDoesNotAnswerIsEnded() throws Exception {
    Path where = directory.resolve("where");
    Path program =
        program("spinning", VERSION + "pwd > new; mv new " + where + "; while :; do :; done\n");
    try (LocalEnvoy envoy =
        LocalEnvoy.start(
            EnvoyProgram.at(program),
            EnvoyBootstrap.of("n", "c", 0, new ListenAddress("127.0.0.1", 1)),
            new LocalEnvoy.Settings(Duration.ofDays(1), Duration.ofSeconds(1), 0, 0))) {
      await(() -> Files.exists(where));
      Path socket = Path.of(Files.readString(where).strip()).resolve("admin.sock");
      FakeAdmin admin = new FakeAdmin(socket, Map.of("/", "LIVE"));
      await(envoy::isReady);
      admin.close();
      await(() -> envoy.ended() > 0);

      assertThat(envoy.exits().get(0).hung()).isTrue();
      assertThat(envoy.exits().get(0).text()).isEqualTo("did not answer any more");
    }
  }

  private static void await(BooleanSupplier what) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!what.getAsBoolean() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(what.getAsBoolean()).isTrue();
  }

  @Test
  void aTemplateGivesWhatDecidesAboutVerdicts() throws Exception {
    Path file = directory.resolve("bootstrap.yaml");
    Files.writeString(
        file,
        """
        node: {id: other}
        admin: {address: {socket_address: {address: 0.0.0.0, port_value: 9901}}}
        static_resources: {clusters: [{name: theirs}]}
        bootstrap_extensions: [{name: ext}]
        layered_runtime: {layers: [{name: theirs, static_layer: {a.b: 7}}]}
        """);
    EnvoyBootstrap bootstrap = EnvoyBootstrap.of("n", "c", 0, new ListenAddress("127.0.0.1", 1));

    assertThat(bootstrap.yaml()).contains("re2.max_program_size.error_level: 1048576");
    assertThat(bootstrap.withTemplate(BootstrapTemplate.read(file)).yaml())
        .contains("bootstrap_extensions: [{\"name\":\"ext\"}]\n")
        .contains("layered_runtime: {\"layers\":[{\"name\":\"theirs\",")
        .doesNotContain("re2.", "other", "9901", "clusters: [{name: theirs");
    assertThatThrownBy(() -> BootstrapTemplate.read(directory.resolve("none")))
        .isInstanceOf(StartException.class);
  }

  @Test
  void endsHaveNames() {
    EnvoyExit exit =
        new EnvoyExit(
            Instant.EPOCH,
            134,
            /* hung= */ false,
            List.of(
                "[2026-11-18 20:33:32.697][30622][critical][assert] [source/a.cc:150] panic: x",
                "[2026-11-18 20:33:32.698][30622][critical][backtrace] [./b.h:1] Caught Aborted"));
    assertThat(exit.text()).isEqualTo("ended by SIGABRT");
    assertThat(exit.complaint()).isEqualTo("panic: x");
  }
}
