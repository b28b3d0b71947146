// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./holdfast apply --wait}, and the example pipeline, against a real server. */
@SuppressWarnings("NullAway.Init") // set by start()
class ApplyTest {
  private static final Path ROOT = TestSources.repositoryRoot();
  private static Scene scene;

  @TempDir static Path reports;
  @TempDir Path checkout;

  /** What a program that ended had to say. */
  private record Ended(int exitCode, String out, String err) {}

  @BeforeAll
  static void start() {
    scene = Scene.start("fake delta", "other.yaml", Hosts.good("other", "one"));
    scene.plane().awaitProgrammed("HTTPProxy/default/other", 1);
  }

  @AfterAll
  static void stop() {
    scene.awaitGet(Hosts.fqdn("other"), "/", "200 one");
    scene.close();
  }

  private static Ended run(String program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(ROOT.resolve(program).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOLDFAST", ROOT.resolve("holdfast").toString());
    builder.environment().put("HOLDFAST_SERVER", "http://127.0.0.1:" + scene.plane().adminPort());
    builder.environment().put("REPORT", reports.resolve("report.json").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), out, err);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(checkout.resolve(name), text);
  }

  @Test
  void goodThenMixedThenTheSameAgain() throws Exception {
    write("a.yaml", Hosts.good("a", "one"));
    write("b.yaml", Hosts.good("b", "one"));

    Ended good = run("holdfast", "apply", checkout.toString(), "--wait");

    assertThat(good.err).isEmpty();
    assertThat(good.out.lines())
        .contains(
            "HTTPProxy/default/a: programmed: generation 1, 1 of 1 proxy",
            "HTTPProxy/default/b: programmed: generation 1, 1 of 1 proxy");
    assertThat(good.exitCode).isZero();
    assertThat(scene.peer().get(Hosts.fqdn("a"), "/")).isEqualTo("200 one");

    write("a.yaml", Hosts.bad("a", "two"));
    write("b.yaml", Hosts.good("b", "two"));
    Ended mixed = run("holdfast", "apply", checkout.toString(), "--wait");

    assertThat(mixed.out.lines())
        .anyMatch(
            line -> line.startsWith("HTTPProxy/default/a: rejected: generation 2 rejected by "))
        .contains("HTTPProxy/default/b: programmed: generation 2, 1 of 1 proxy");
    assertThat(mixed.exitCode).isEqualTo(3);
    assertThat(scene.peer().get(Hosts.fqdn("a"), "/")).isEqualTo("200 one");
    assertThat(scene.peer().get(Hosts.fqdn("b"), "/")).isEqualTo("200 two");

    Ended again = run("holdfast", "apply", checkout.toString(), "--wait");
    assertThat(again.out.lines()).filteredOn(line -> line.contains(": unchanged, ")).hasSize(2);
    assertThat(again.exitCode).isEqualTo(3);
  }

  @Test
  void thePipelineOfTheExampleSaysWhatCameOfIt() throws Exception {
    write("c.yaml", Hosts.good("c", "one"));
    Ended good = deploy();
    assertThat(good.out).startsWith("deployed:\nprogrammed HTTPProxy/default/c ");
    assertThat(good.exitCode).isZero();

    write("c.yaml", Hosts.bad("c", "one"));
    Ended bad = deploy();
    assertThat(bad.err)
        .startsWith(
            "rejected by a proxy; the last good generation stays live:\nrejected HTTPProxy/default/c ")
        .contains("regex");
    assertThat(bad.exitCode).isEqualTo(3);

    write("c.yaml", Hosts.good("c", "nowhere"));
    Ended invalid = deploy();
    assertThat(invalid.err)
        .startsWith("not valid; nothing was written:\n")
        .contains("HTTPProxy/default/c ");
    assertThat(invalid.exitCode).isEqualTo(3);
  }

  private Ended deploy() throws Exception {
    return run("examples/ci/deploy.sh", checkout.toString());
  }
}
