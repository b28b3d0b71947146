// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.Interrupts;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.EnvoyBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code ./holdfast demo} as a program. Run with {@code -Dholdfast.pictures=true} it also draws the
 * picture of the documentation.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class DemoTest {
  private static final Path ROOT = TestSources.repositoryRoot();
  private static final Path PICTURE = Path.of("docs", "images", "demo.svg");
  private static final String CONTROL_PLANE = "control plane";

  @TempDir
  @SuppressWarnings("NullAway.Init") // before the first test
  Path temporary;

  /** With a directory of its own for what is temporary, so that it can be seen to be empty. */
  private List<String> holdfast(String moreJavaOptions, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "HOLDFAST_JAVA_OPTS=-Djava.io.tmpdir=" + temporary + " " + moreJavaOptions,
                ROOT.resolve("holdfast").toString(),
                "demo"));
    command.addAll(List.of(arguments));
    return command;
  }

  private List<Path> leftBehind() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("holdfast-demo"))
          .toList();
    }
  }

  @Test
  void withoutAnEnvoyEveryClaimHoldsAndNothingIsLeft() throws Exception {
    Process process =
        new ProcessBuilder(holdfast("", "--fast", "--no-envoy", "-o", "json"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    int code = process.waitFor();

    JsonObject summary = JsonParser.parseString(out).getAsJsonObject();
    assertThat(summary.get("diagnostics").getAsJsonArray()).as(out).isEmpty();
    assertThat(code).isZero();
    assertThat(summary.get("passed").getAsBoolean()).isTrue();
    assertThat(summary.get("envoy").getAsString()).isEmpty();
    assertThat(summary.get("failed").getAsLong()).isZero();
    assertThat(summary.get("served").getAsLong()).isGreaterThan(1_000);
    assertThat(ids(summary))
        .containsExactly(
            "good-change", "bad-change", "search", "hold", "fix", "kill", "silence", "missing");
    assertThat(leftBehind()).isEmpty();
  }

  private static List<String> ids(JsonObject summary) {
    List<String> ids = new ArrayList<>();
    for (JsonElement step : summary.getAsJsonArray("steps")) {
      ids.add(step.getAsJsonObject().get("id").getAsString());
    }
    return ids;
  }

  @Test
  void withAnEnvoyToo() throws Exception {
    EnvoyBinary.find();
    // The colours are for the picture.
    Process process =
        new ProcessBuilder(holdfast("-Dholdfast.terminal.out=true", "--fast"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(out).isZero();
    assertThat(out.replaceAll("\u001b\\[[0-9]*m", ""))
        .contains(
            "through Envoy",
            "script load error",
            "the change is held: ProxyDied",
            "all 50 checks of 9 steps passed",
            "calls served, 0 failed")
        .doesNotContain("✗");
    assertThat(leftBehind()).isEmpty();
    Path picture = Boolean.getBoolean("holdfast.pictures") ? ROOT.resolve(PICTURE) : null;
    String svg = TerminalSvg.of(out);
    assertThat(svg).startsWith("<svg").endsWith("</svg>\n");
    if (picture != null) {
      Files.writeString(picture, svg);
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void whoeverInterruptsItIsLeftWithNothing(String signal, int exitCode) throws Exception {
    assumeTrue(
        signal.equals("TERM") || !Interrupts.areIgnored(), "SIGINT is ignored in this shell");
    try (LineProcess demo = new LineProcess(ROOT, holdfast("", "--no-envoy", "--keep"))) {
      ProcessHandle plane = controlPlane(demo);
      demo.await("a step", line -> line.startsWith("1  "));
      demo.signal(signal);
      assertThat(demo.exitCode()).isEqualTo(exitCode);
      assertThat(plane.isAlive()).isFalse();
      assertThat(leftBehind()).isEmpty();
      assertThat(demo.allLines()).noneMatch(line -> line.contains("✗"));
    }
  }

  @Test
  void ifItIsKilledItsProcessesEndToo() throws Exception {
    try (LineProcess demo = new LineProcess(ROOT, holdfast("", "--fast"))) {
      ProcessHandle plane = controlPlane(demo);
      Set<ProcessHandle> all = new TreeSet<>();
      plane.parent().orElseThrow().descendants().forEach(all::add);
      demo.kill();
      for (ProcessHandle one : all) {
        assertThat(one.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
      }
    }
  }

  private static ProcessHandle controlPlane(LineProcess demo) throws InterruptedException {
    String line = demo.await("the control plane", text -> text.strip().startsWith(CONTROL_PLANE));
    long pid = Long.parseLong(line.replaceFirst(".*process (\\d+),.*", "$1"));
    return ProcessHandle.of(pid).orElseThrow();
  }
}
