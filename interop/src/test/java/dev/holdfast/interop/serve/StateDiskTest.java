// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk takes no writes for a while: traffic goes on, everybody is told that edits wait, and
 * when there is room again they arrive without a restart. The system refuses the writes of the
 * running process because of a limit on the size of its files.
 */
@EnabledOnOs(OS.LINUX)
class StateDiskTest {
  private static final String HOST = "x.example.com";

  @TempDir Path root;

  @Test
  void editsWaitUntilThereIsRoomAndTrafficDoesNot() throws Exception {
    assumeThat(Path.of("/usr/bin/prlimit")).isExecutable();
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        PlaneProcess plane = serving(one, two);
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
      Http http = envoy.http("ingress_http");
      Plane.await("it is served", () -> backend(http).equals("one"));
      Plane.await("all is well", () -> plane.text("/readyz").equals("ready\n"));

      limit(plane.pid(), "1");
      plane.write("x.yaml", host("two"));
      Plane.await("it is told", () -> plane.text("/readyz").contains("edits wait since"));
      assertThat(plane.text("/readyz")).contains("state file", "state.db");
      Plane.await(
          "it is a problem", () -> plane.text("/api/v1/problems").contains("StateNotWritable"));
      assertThat(plane.metric("holdfast_state_writable")).isZero();
      assertThat(plane.text("/api/v1/summary")).contains("\"stateProblem\":{\"message\":");
      Plane.await("it is told on the object", () -> isToldOnTheObject(plane));
      for (int i = 0; i < 50; i++) {
        assertThat(backend(http)).as("traffic goes on").isEqualTo("one");
      }

      limit(plane.pid(), "unlimited");
      Plane.await("the edit arrives", () -> backend(http).equals("two"));
      Plane.await("all is well", () -> plane.text("/readyz").equals("ready\n"));
      Plane.await("the object no longer says so", () -> !isToldOnTheObject(plane));
      plane.end("KILL");
      plane.up();
      assertThat(plane.objects())
          .hasEntrySatisfying(
              "HTTPProxy/x",
              object -> assertThat(object.get("generation").getAsLong()).isEqualTo(2));
    }
  }

  private static void limit(long pid, String bytes) throws Exception {
    Process process =
        new ProcessBuilder(
                "/usr/bin/prlimit", "--pid", Long.toString(pid), "--fsize=" + bytes + ":unlimited")
            .inheritIO()
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private static boolean isToldOnTheObject(PlaneProcess plane) throws Exception {
    return plane
        .text("/api/v1/objects/HTTPProxy/default/x")
        .contains("an edit of this object waits");
  }

  private PlaneProcess serving(Backend one, Backend two) throws Exception {
    Files.createDirectories(root);
    PlaneProcess plane = new PlaneProcess(root);
    plane.write(
        "services.yaml",
        Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()));
    plane.write("x.yaml", host("one"));
    plane.up();
    return plane;
  }

  private static String host(String service) {
    return Yaml.root(
        "x",
        HOST,
        """
        routes:
        - services:
          - name: %s
            port: 80
        """
            .formatted(service));
  }

  private static String backend(Http http) {
    return http.get("/").host(HOST).send().backend();
  }
}
