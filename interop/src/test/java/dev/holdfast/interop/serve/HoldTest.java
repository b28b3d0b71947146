// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts that share one route configuration, of which one author makes a mistake. */
class HoldTest {
  private static EnvoyProcess envoy(String protocol, Plane plane, String node) {
    EnvoyBootstrap bootstrap =
        protocol.equals("delta")
            ? EnvoyBootstrap.delta(plane.xdsPort())
            : EnvoyBootstrap.sotw(plane.xdsPort());
    return EnvoyProcess.start(bootstrap.node(node));
  }

  private static String host(String name, String service) {
    return Yaml.root(
        name, name + ".example.com", "routes: [{services: [{name: " + service + ", port: 80}]}]");
  }

  private static String policy(String name, String target, String script) {
    return """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: %s}
        spec:
          targetRef: {name: %s}
          perRoute:
            - name: envoy.filters.http.lua
              typedConfig:
                "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
                source_code:
                  inline_string: "%s"
        """
        .formatted(name, target, script);
  }

  private static final String GOOD =
      "function envoy_on_response(h) h:headers():add('x-lua', 'good') end";

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void oneBadEditIsHeldWhileEverybodyElsesGoThrough(String protocol) {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()),
                "a.yaml",
                host("a", "one"),
                "b.yaml",
                host("b", "one"),
                "lua.yaml",
                policy("lua", "a", GOOD));
        EnvoyProcess envoy = envoy(protocol, plane, "e1")) {
      plane.awaitProgrammed("ExtensionPolicy/default/lua", 1);
      plane.awaitProgrammed("HTTPProxy/default/b", 1);
      Http http = envoy.http("ingress_http");
      assertThat(http.get("/").host("a.example.com").send().header("x-lua")).isEqualTo("good");

      plane.write("lua.yaml", policy("lua", "a", "function envoy_on_response("));
      Plane.Said said = plane.awaitSaid("ExtensionPolicy/default/lua", "Programmed", "Rejected");
      assertThat(said.message())
          .startsWith("generation 2 rejected by envoy")
          .contains("RouteConfiguration ingress_http")
          .endsWith("serving generation 1");
      assertThat(http.get("/").host("a.example.com").send().header("x-lua")).isEqualTo("good");

      assertThat(plane.object("ExtensionPolicy/default/lua").getAsJsonArray("diff").toString())
          .contains("\"-", "x-lua", "\"+", "function envoy_on_response(\\\"\"]");

      // The same resource, another author.
      plane.write("b.yaml", host("b", "two"));
      plane.awaitProgrammed("HTTPProxy/default/b", 2);
      assertThat(http.get("/").host("b.example.com").send().backend()).isEqualTo("two");
      assertThat(http.get("/").host("a.example.com").send().header("x-lua")).isEqualTo("good");

      // One that starts now is served what is good.
      try (EnvoyProcess cold = envoy(protocol, plane, "e2")) {
        Http coldHttp = cold.http("ingress_http");
        Plane.await(
            "the cold one serves",
            () -> "good".equals(coldHttp.get("/").host("a.example.com").send().header("x-lua")));
        assertThat(cold.admin().stat("http.ingress_http.rds.ingress_http.update_rejected"))
            .as("it is asked for a second opinion once, after it serves what is good")
            .isLessThanOrEqualTo(1);
      }

      plane.write("lua.yaml", policy("lua", "a", GOOD.replace("'good'", "'better'")));
      plane.awaitProgrammed("ExtensionPolicy/default/lua", 3);
      assertThat(http.get("/").host("a.example.com").send().header("x-lua")).isEqualTo("better");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void theBadOnesAmongManyAreFoundAndARestartRemembersThem(String protocol) {
    StringBuilder hosts = new StringBuilder();
    StringBuilder policies = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      hosts.append("---\n").append(host("h" + i, "one"));
      boolean bad = i == 3 || i == 11;
      policies.append("---\n").append(policy("p" + i, "h" + i, bad ? "broken(" : GOOD));
    }
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "services.yaml", Yaml.service("one", one.port()), "a.yaml", host("a", "one"));
        EnvoyProcess envoy = envoy(protocol, plane, "e1")) {
      plane.awaitProgrammed("HTTPProxy/default/a", 1);
      plane.write("hosts.yaml", hosts.substring(4) + policies);
      for (int i = 0; i < 20; i++) {
        if (i == 3 || i == 11) {
          plane.awaitSaid("ExtensionPolicy/default/p" + i, "Programmed", "RejectedNew");
        } else {
          plane.awaitProgrammed("ExtensionPolicy/default/p" + i, 1);
          plane.awaitProgrammed("HTTPProxy/default/h" + i, 1);
        }
      }
      Http http = envoy.http("ingress_http");
      assertThat(http.get("/").host("h0.example.com").send().header("x-lua")).isEqualTo("good");

      Plane.awaitAsserted(
          () ->
              assertThat(plane.items("/api/v1/holds"))
                  .extracting(
                      hold ->
                          hold.get("name").getAsString() + " " + hold.get("reason").getAsString())
                  .containsExactly(
                      "p11 RejectedNew",
                      "p3 RejectedNew",
                      "h11 DependencyRejected",
                      "h3 DependencyRejected"));
      Plane.await(
          "the search is over",
          () ->
              plane.items("/api/v1/incidents").stream()
                  .noneMatch(incident -> incident.get("tookMillis").isJsonNull()));
      assertThat(plane.items("/api/v1/incidents"))
          .flatExtracting(incident -> incident.getAsJsonArray("offendingObjects").asList())
          .extracting(offender -> offender.getAsJsonObject().get("name").getAsString())
          .containsExactlyInAnyOrder("p3", "p11");

      long rejected = envoy.admin().stat("http.ingress_http.rds.ingress_http.update_rejected");
      List<JsonObject> incidents = plane.items("/api/v1/incidents");
      plane.down();
      plane.up();
      plane.awaitSaid("ExtensionPolicy/default/p3", "Programmed", "RejectedNew");
      assertThat(plane.items("/api/v1/incidents")).isEqualTo(incidents);
      plane.write(
          "a.yaml",
          Yaml.root("a", "a.example.com", "routes: [{directResponsePolicy: {statusCode: 203}}]"));
      plane.awaitProgrammed("HTTPProxy/default/a", 2);
      assertThat(http.get("/").host("a.example.com").send().status()).isEqualTo(203);
      assertThat(envoy.admin().stat("http.ingress_http.rds.ingress_http.update_rejected"))
          .isEqualTo(rejected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void tryingAgainByHandCostsOneTrialAndEndsInTheSameHold(String protocol) {
    String counter = "http.ingress_http.rds.ingress_http.update_rejected";
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()),
                "a.yaml",
                host("a", "one"),
                "lua.yaml",
                policy("lua", "a", GOOD));
        EnvoyProcess envoy = envoy(protocol, plane, "e1")) {
      plane.awaitProgrammed("ExtensionPolicy/default/lua", 1);
      plane.write("lua.yaml", policy("lua", "a", "broken("));
      Plane.Said said = plane.awaitSaid("ExtensionPolicy/default/lua", "Programmed", "Rejected");
      long rejected = envoy.admin().stat(counter);
      int incidents = plane.items("/api/v1/incidents").size();

      assertThat(plane.post("/api/v1/objects/ExtensionPolicy/default/lua/retry")).isEqualTo(200);
      Plane.await(
          "it was tried and refused again",
          () -> plane.items("/api/v1/incidents").size() == incidents + 1);
      plane.awaitMessage("ExtensionPolicy/default/lua", "Programmed", said.message());

      // Nothing but the one trial: what comes next on the stream has been heard.
      plane.write("a.yaml", host("a", "one") + "---\n" + host("b", "one"));
      plane.awaitProgrammed("HTTPProxy/default/b", 1);
      assertThat(envoy.admin().stat(counter)).isEqualTo(rejected + 1);
      assertThat(plane.said("ExtensionPolicy/default/lua", "Programmed")).isEqualTo(said);
      Http http = envoy.http("ingress_http");
      assertThat(http.get("/").host("a.example.com").send().header("x-lua")).isEqualTo("good");
      assertThat(plane.post("/api/v1/objects/HTTPProxy/default/a/retry")).isEqualTo(409);
      assertThat(plane.post("/api/v1/objects/HTTPProxy/default/z/retry")).isEqualTo(404);
    }
  }
}
