// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told before any Envoy is started. */
class CheckArgumentsTest {
  @TempDir Path directory;
  private final CapturedOutput captured = new CapturedOutput();
  private String tree = "";

  @BeforeEach
  void write() throws IOException {
    Path file = directory.resolve("a.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Service
        metadata: {name: s}
        spec: {ports: [{port: 80}]}
        """);
    tree = directory.toString();
  }

  @Test
  void withoutAnEnvoyThereIsNoVerdict() {
    assertThat(captured.run(Map.of("PATH", "/nowhere"), "check", tree)).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo(
            "holdfast: no Envoy found (expected: --envoy PATH, the path of one in ENVOY, or envoy"
                + " on the PATH)\n");
    assertThat(captured.out()).isEmpty();
  }

  @Test
  void whatIsNoEnvoyIsNamed() {
    assertThat(captured.run("check", tree, "--envoy", "/no/envoy")).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo("holdfast: /no/envoy: no such program (expected: the executable of an Envoy)\n");
  }

  @Test
  void badArguments() {
    assertThat(captured.run("check", tree, "--hang-after", "10ms")).isEqualTo(2);
    assertThat(captured.run("check", tree, "--memory", "-1")).isEqualTo(2);
    assertThat(captured.run("check", tree, "--baseline", "/no/directory")).isEqualTo(2);
    assertThat(captured.run("check", "/no/directory")).isEqualTo(2);
    assertThat(captured.run("check", tree, "-o", "xml")).isEqualTo(2);
    assertThat(captured.err())
        .contains("--hang-after: 10ms (expected: at least 1s)")
        .contains("--memory: -1 (expected: from 0 to 1048576)")
        .contains("/no/directory: no such file or directory")
        .contains("expected one of [text, json, junit, sarif]");
  }
}
