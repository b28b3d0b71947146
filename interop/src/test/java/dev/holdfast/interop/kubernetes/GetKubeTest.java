// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts that find or build the API server and Helm, with a Go that fails. */
class GetKubeTest {
  @TempDir private Path directory;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void prepare() throws IOException {
    Files.createDirectory(directory.resolve("bin"));
    executable("bin/go", "#!/bin/sh\necho \"$*\" >>\"$CALLS\"\nexit 1\n");
    environment.put("PATH", directory.resolve("bin") + ":/usr/bin:/bin");
    environment.put("HOLDFAST_CACHE", directory.resolve("cache").toString());
    environment.put("CALLS", directory.resolve("calls").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"get-kube", "get-helm", "get-contour"})
  void saysInOneLineWhatToDoIfThereIsNone(String script) throws Exception {
    Result result = run(script, "--find");

    assertThat(result.code).isEqualTo(1);
    assertThat(result.output.lines()).hasSize(1);
    assertThat(result.output).contains("run interop/bin/" + script + " where Go is installed");
    assertThat(directory.resolve("calls")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"get-kube", "get-helm", "get-contour"})
  void aBuildThatFailsLeavesNothing(String script) throws Exception {
    Result result = run(script);

    assertThat(result.code).isEqualTo(1);
    assertThat(directory.resolve("calls")).exists();
    try (Stream<Path> left = Files.walk(directory.resolve("cache"))) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
    assertThat(run(script, "--find").code).isEqualTo(1);
  }

  @Test
  void whatTheUserNamesComesFirst() throws Exception {
    environment.put("KUBE", directory.toString());
    assertThat(run("get-kube").output).contains("expected: a directory with kube-apiserver");

    for (String program : List.of("kube-apiserver", "etcd", "kubectl")) {
      executable(program, "#!/bin/sh\n");
    }
    Files.writeString(directory.resolve("contour-crds.yaml"), "");
    assertThat(run("get-kube")).isEqualTo(new Result(0, directory.toString()));
  }

  @Test
  void aContourThatTheUserNamesComesFirst() throws Exception {
    environment.put("CONTOUR", directory.resolve("contour").toString());
    assertThat(run("get-contour").output).contains("(expected: a program)");

    executable("contour", "#!/bin/sh\n");
    assertThat(run("get-contour"))
        .isEqualTo(new Result(0, directory.resolve("contour").toString()));
    assertThat(run("get-contour", "--fnd"))
        .isEqualTo(new Result(2, "get-contour: --fnd (expected: --find)"));
  }

  @Test
  void onlyWhoAsksForControllersNeedsThem() throws Exception {
    environment.put("KUBE", directory.toString());
    for (String program : List.of("kube-apiserver", "etcd", "kubectl")) {
      executable(program, "#!/bin/sh\n");
    }
    Files.writeString(directory.resolve("contour-crds.yaml"), "");

    assertThat(run("get-kube", "--controllers").output)
        .contains("expected: a directory with kube-controller-manager");
    executable("kube-controller-manager", "#!/bin/sh\n");
    assertThat(run("get-kube", "--controllers")).isEqualTo(new Result(0, directory.toString()));
  }

  @Test
  void anOptionThatItDoesNotKnowIsAnError() throws Exception {
    assertThat(run("get-kube", "--controllers", "--fnd"))
        .isEqualTo(new Result(2, "get-kube: --fnd (expected: --find or --controllers)"));
    assertThat(run("get-kube", "--controllers", "--find").code).isEqualTo(1);
  }

  @Test
  void theSuiteOfContourNeedsGo() throws Exception {
    Files.delete(directory.resolve("bin/go"));

    assertThat(run("contour-suite").output).isEqualTo("contour-suite: no go on the PATH");
    assertThat(run("contour-suite", "--with", "nothing").output)
        .contains("--with nothing (expected: contour or holdfast)");
    assertThat(run("contour-suite", "gateway").output).contains("gateway (expected: --with,");
  }

  private Result run(String script, String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Stream.concat(
                    Stream.of(Path.of("bin", script).toAbsolutePath().toString()),
                    Stream.of(arguments))
                .toList());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output.strip());
  }

  private void executable(String name, String content) throws IOException {
    Path file = Files.writeString(directory.resolve(name), content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Result(int code, String output) {}
}
