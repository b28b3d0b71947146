// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import dev.holdfast.interop.serve.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What does not belong into a served tree changes no answer, and edits go on. */
@EnabledOnOs(OS.LINUX)
class ForeignFilesTest {
  private static final String HOST = "x.example.com";

  @TempDir Path root;

  @Test
  void linksToElsewhereAndPipesBlockNoEdit() throws Exception {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        PlaneProcess plane = serving(one, two);
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
      Http http = envoy.http("ingress_http");
      Plane.await("it is served", () -> backend(http).equals("one"));
      int objects = plane.objects().size();
      try (Load load = new Load(http.port(), List.of(HOST))) {
        link("process", "/proc/self");
        link("everything", "/");
        link("up", "..");
        link("loop", ".");
        link("self.yaml", "self.yaml");
        link("password.yaml", "/etc/passwd");
        assertThat(new ProcessBuilder("mkfifo", tree("pipe.yaml").toString()).start().waitFor())
            .isZero();
        Plane.await("all are problems", () -> plane.metric("holdfast_source_problems") == 6);
        assertThat(plane.text("/api/v1/problems"))
            .contains("the link leads to a directory outside of the tree")
            .contains("not a regular file")
            .doesNotContain("root:");

        plane.write("x.yaml", host("two"));
        Plane.await("an edit arrives", () -> backend(http).equals("two"));
        assertThat(plane.objects()).hasSize(objects);

        plane.end("KILL");
        plane.up();
        plane.write("x.yaml", host("one"));
        Plane.await("also after a restart", () -> backend(http).equals("one"));
        assertThat(load.failures()).isEmpty();
        assertThat(load.requests()).isPositive();
      }
    }
  }

  @Test
  void aTreeThatIsTooLargeChangesNothingAlsoAfterARestart() throws Exception {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        PlaneProcess plane = serving(one, two);
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
      Http http = envoy.http("ingress_http");
      Plane.await("it is served", () -> backend(http).equals("one"));
      Plane.await( // Envoy serves it before it has said so, and only then is it remembered
          "it is programmed",
          () -> PlaneProcess.programmed(plane.objects().get("HTTPProxy/x")).startsWith("True/"));
      try (Load load = new Load(http.port(), List.of(HOST))) {
        Path deep = tree("deep");
        for (int i = 0; i < 40; i++) {
          deep = deep.resolve("d");
        }
        Files.createDirectories(deep);
        Plane.await("it is told", () -> plane.text("/api/v1/problems").contains("too large"));
        plane.write("x.yaml", host("two"));
        plane.end("KILL");
        plane.up();
        Plane.await("it is told", () -> plane.text("/api/v1/problems").contains("too large"));
        Plane.await("Envoy is back", () -> plane.items("/api/v1/proxies").size() == 1);
        assertThat(backend(http)).isEqualTo("one");
        assertThat(load.failures()).isEmpty();

        for (Path each = deep; !each.equals(tree("")); each = parent(each)) {
          Files.delete(each);
        }
        Plane.await("the edit arrives", () -> backend(http).equals("two"));
        Plane.await("all is well", () -> plane.metric("holdfast_source_problems") == 0);
        assertThat(load.failures()).isEmpty();
        assertThat(load.requests()).isPositive();
      }
    }
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(path + " (expected: a path with a parent)");
    }
    return parent;
  }

  private PlaneProcess serving(Backend one, Backend two) throws Exception {
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

  private void link(String name, String target) throws IOException {
    Files.createSymbolicLink(tree(name), Path.of(target));
  }

  private Path tree(String name) {
    return name.isEmpty() ? root.resolve("objects") : root.resolve("objects").resolve(name);
  }
}
