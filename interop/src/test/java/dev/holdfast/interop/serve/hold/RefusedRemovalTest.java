// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Envoy that refuses to have fewer clusters than a minimum, which Holdfast cannot know. */
class RefusedRemovalTest {
  private static String host(String name, String service) {
    return Yaml.root(
        name, name + ".example.com", "routes: [{services: [{name: " + service + ", port: 80}]}]");
  }

  private static EnvoyBootstrap bootstrap(String protocol, Plane plane) {
    return protocol.equals("delta")
        ? EnvoyBootstrap.delta(plane.xdsPort())
        : EnvoyBootstrap.sotw(plane.xdsPort());
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void itKeepsWhatItDoesNotGiveUpAndGetsEverythingElse(String protocol) {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()),
                "a.yaml",
                host("a", "one"),
                "b.yaml",
                host("b", "two"));
        // Two clusters of ours, and the one that leads to the control plane does not count.
        EnvoyProcess envoy =
            EnvoyProcess.start(bootstrap(protocol, plane).node("e1").minimumClusters(2))) {
      plane.awaitProgrammed("HTTPProxy/default/a", 1);
      plane.awaitProgrammed("HTTPProxy/default/b", 1);
      Http http = envoy.http("ingress_http");
      long before = responses(plane);

      plane.delete("b.yaml");
      Plane.await("the removal is refused", () -> !refusedRemovals(plane).isEmpty());
      assertThat(refusedRemovals(plane).get(0).get("resource").getAsString()).contains("two");
      assertThat(refusedRemovals(plane).get(0).get("message").getAsString()).contains("minimum");
      assertThat(plane.get("/api/v1/problems").toString()).contains("RemovalRefused");
      assertThat(http.get("/").host("b.example.com").send().status()).isEqualTo(404);
      assertThat(http.get("/").host("a.example.com").send().backend()).isEqualTo("one");

      plane.write("a.yaml", host("a", "two"));
      plane.awaitProgrammed("HTTPProxy/default/a", 2);
      assertThat(http.get("/").host("a.example.com").send().backend()).isEqualTo("two");

      plane.write("c.yaml", host("c", "one"));
      plane.awaitProgrammed("HTTPProxy/default/c", 1);
      assertThat(http.get("/").host("c.example.com").send().backend()).isEqualTo("one");
      assertThat(responses(plane) - before).as("responses since").isLessThan(30);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void aColdOneThatRefusesItsClustersIsAnsweredEverMoreSlowly(String protocol) {
    try (Backend one = Backend.start("0");
        Backend two = Backend.start("1")) {
      List<String> files = new ArrayList<>();
      files.add("edited.yaml");
      files.add(edited(0, one, two));
      for (int i = 0; i < 30; i++) {
        files.add("s" + i + ".yaml");
        files.add(Yaml.service("s" + i, one.port()) + "---\n" + host("h" + i, "s" + i));
      }
      try (Plane plane = Plane.start(files.toArray(new String[0]));
          EnvoyProcess good = EnvoyProcess.start(bootstrap(protocol, plane).node("good"))) {
        plane.awaitProgrammed("HTTPProxy/default/h0", 1);
        plane.awaitProgrammed("HTTPProxy/default/edited", 1);
        long before = responses(plane);
        try (EnvoyProcess odd =
            EnvoyProcess.start(bootstrap(protocol, plane).node("odd").minimumClusters(1000))) {
          Plane.await(
              "it refuses", () -> plane.get("/api/v1/proxies").toString().contains("minimum"));
          Http http = good.http("ingress_http");
          for (int edit = 1; edit < 6; edit++) {
            plane.write("edited.yaml", edited(edit, one, two));
            String wanted = Integer.toString(edit % 2);
            Plane.await(
                "edit " + edit,
                () -> http.get("/").host("edited.example.com").send().backend().equals(wanted));
          }
          assertThat(responses(plane) - before).isLessThan(150);
          assertThat(odd.isAlive()).isTrue();
        }
      }
    }
  }

  private static String edited(int edit, Backend one, Backend two) {
    return Yaml.service("x0", one.port())
        + "---\n"
        + Yaml.service("x1", two.port())
        + "---\n"
        + host("edited", "x" + edit % 2);
  }

  private static List<JsonObject> refusedRemovals(Plane plane) {
    List<JsonObject> found = new ArrayList<>();
    for (JsonElement proxy :
        plane.get("/api/v1/proxies").getAsJsonObject().getAsJsonArray("items")) {
      for (JsonElement stream : proxy.getAsJsonObject().getAsJsonArray("streams")) {
        for (JsonElement type : stream.getAsJsonObject().getAsJsonArray("types")) {
          type.getAsJsonObject()
              .getAsJsonArray("refusedRemovals")
              .forEach(removal -> found.add(removal.getAsJsonObject()));
        }
      }
    }
    return found;
  }

  /** All responses since the server started. */
  private static long responses(Plane plane) {
    return plane
        .text("/metrics")
        .lines()
        .filter(line -> line.startsWith("holdfast_responses_total"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
