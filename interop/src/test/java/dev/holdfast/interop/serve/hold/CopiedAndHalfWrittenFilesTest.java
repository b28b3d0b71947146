// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import dev.holdfast.interop.serve.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to files by mistake, or while they are written, changes no answer. */
class CopiedAndHalfWrittenFilesTest {
  private static final String HOST = "x.example.com";
  private static final String KEY = "HTTPProxy/x";

  @TempDir Path root;

  @Test
  void aCopyDoesNotTakeThePlaceOfWhatIsServed() throws Exception {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        PlaneProcess plane = serving(one, two)) {
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        awaitProgrammed(plane, 1);
        Http http = envoy.http("ingress_http");
        try (Load load = new Load(http.port(), new TreeMap<>(Map.of(HOST, Set.of("one"))))) {
          plane.write("00-x.yaml", host("two"));
          Plane.await("the copy is a problem", () -> !source(plane).isEmpty());
          assertThat(source(plane)).startsWith("Duplicate").contains("00-x.yaml:1:1", "x.yaml:1:1");
          assertThat(plane.text("/api/v1/summary")).contains("is defined twice");
          plane.end("KILL");
          plane.up();
          Plane.await("Envoy is back", () -> plane.items("/api/v1/proxies").size() == 1);
          Plane.await("the copy is a problem", () -> !source(plane).isEmpty());
          awaitProgrammed(plane, 1);
          assertThat(load.failures()).isEmpty();
          assertThat(load.requests()).isPositive();
        }

        plane.write("x.yaml", null);
        Plane.await("the copy takes over", () -> backend(http).equals("two"));
        awaitProgrammed(plane, 2);
        Plane.await("all is well", () -> source(plane).isEmpty());
      }
    }
  }

  @Test
  void aFileThatIsSavedLineByLineIsReadWhenItIsDone() throws Exception {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        PlaneProcess plane = serving(one, two)) {
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        awaitProgrammed(plane, 1);
        Http http = envoy.http("ingress_http");
        try (Load load = new Load(http.port(), List.of(HOST))) {
          Path file = root.resolve("objects/x.yaml");
          long generation = 1;
          String service = "two";
          while (!writeSlowly(file, host(service))) {
            String served = service;
            Plane.await("the edit is served", () -> backend(http).equals(served));
            generation = object(plane).get("generation").getAsLong();
            service = served.equals("two") ? "one" : "two";
          }
          String last = service;
          Plane.await("the edit is served", () -> backend(http).equals(last));
          assertThat(load.failures()).isEmpty();
          awaitProgrammed(plane, generation + 1); // and nothing in between was an edit
        }
      }
    }
  }

  /**
   * Writes a file as a person or a slow program does. The result is false if the machine took so
   * long over a line, or over all of them, that the file counted as done meanwhile.
   */
  private static boolean writeSlowly(Path file, String text) throws Exception {
    long began = System.nanoTime();
    long last = began;
    long longest = 0;
    for (String line : text.lines().toList()) {
      Files.writeString(
          file,
          line + "\n",
          last == began ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
      longest = Math.max(longest, System.nanoTime() - last);
      last = System.nanoTime();
      Thread.sleep(100);
    }
    return longest < TimeUnit.MILLISECONDS.toNanos(400)
        && last - began < TimeUnit.SECONDS.toNanos(4);
  }

  private static JsonObject object(PlaneProcess plane) throws Exception {
    JsonObject object = plane.objects().get(KEY);
    return object == null ? new JsonObject() : object;
  }

  @Test
  void aFileThatCannotBeUnderstoodShowsOnItsObjectsAndTheyAreServedAlsoAfterAKill()
      throws Exception {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        PlaneProcess plane = serving(one, two)) {
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        awaitProgrammed(plane, 1);
        Http http = envoy.http("ingress_http");
        try (Load load = new Load(http.port(), new TreeMap<>(Map.of(HOST, Set.of("one"))))) {
          plane.write("x.yaml", host("two") + "\n  : [");
          Plane.await("it is shown", () -> source(plane).startsWith("Unreadable"));
          assertThat(source(plane)).contains("x.yaml:");
          plane.end("KILL");
          plane.up();
          Plane.await("Envoy is back", () -> plane.items("/api/v1/proxies").size() == 1);
          Plane.await("it is shown", () -> source(plane).startsWith("Unreadable"));
          awaitProgrammed(plane, 1);
          assertThat(load.failures()).isEmpty();
          assertThat(load.requests()).isPositive();
        }

        plane.write("x.yaml", host("two"));
        Plane.await("the edit is served", () -> backend(http).equals("two"));
        Plane.await("all is well", () -> source(plane).isEmpty());
      }
    }
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

  /** A file of which many beginnings are objects. */
  private static String host(String service) {
    return Yaml.root(
        "x",
        HOST,
        """
        routes:
        - conditions:
          - prefix: /other
          services:
          - name: one
            port: 80
        - conditions:
          - prefix: /
          services:
          - name: %s
            port: 80
        """
            .formatted(service));
  }

  private static String backend(Http http) {
    return http.get("/").host(HOST).send().backend();
  }

  /** The condition Source of the host. */
  private static String source(PlaneProcess plane) throws Exception {
    JsonObject object = plane.objects().get(KEY);
    JsonObject condition =
        object == null ? new JsonObject() : PlaneProcess.condition(object, "Source");
    return condition.has("reason")
        ? condition.get("reason").getAsString() + " " + condition.get("message").getAsString()
        : "";
  }

  private static void awaitProgrammed(PlaneProcess plane, long generation) {
    Plane.await(
        "generation " + generation + " is programmed",
        () -> {
          JsonObject object = plane.objects().get(KEY);
          return object != null
              && object.get("generation").getAsLong() == generation
              && PlaneProcess.programmed(object).equals("True/Programmed");
        });
  }
}
