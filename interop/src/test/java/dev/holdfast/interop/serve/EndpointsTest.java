// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the endpoints of services are. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record EndpointsTest(String protocol) {
  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Rig rig;

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    rig = Rig.start(protocol);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  private static void route(String name, int port) {
    rig.apply(
        "HTTPProxy/default/" + name + port,
        Yaml.root(
            name + port,
            name + port + ".example",
            "routes: [{services: [{name: " + name + ", port: " + port + "}]}]"));
  }

  private static String port(String name, Backend backend) {
    return "{name: " + name + ", port: " + backend.port() + "}";
  }

  private static void awaitBoth(String host) {
    Set<String> met = new TreeSet<>();
    Plane.await(
        "both answer",
        () -> {
          met.add(Rig.seen(rig.http(), host, "/"));
          return met.contains("200 one") && met.contains("200 two");
        });
  }

  @Test
  void onlyEndpointsThatAreReadyGetRequests() {
    String service = Docs.bareService("ready", "", "{name: http, port: 80}");
    String one = Docs.slice("ready-1", "ready", port("http", ONE), "{addresses: [127.0.0.1]}");
    rig.write(
        "ready.yaml",
        Docs.of(
            service,
            one,
            Docs.slice(
                "ready-2",
                "ready",
                port("http", TWO),
                "{addresses: [127.0.0.1], conditions: {ready: false}}")));
    route("ready", 80);
    Rig.awaitSeen("200 one", rig.http(), "ready80.example", "/");
    for (int i = 0; i < 10; i++) {
      assertThat(Rig.seen(rig.http(), "ready80.example", "/")).isEqualTo("200 one");
    }
    rig.write(
        "ready.yaml",
        Docs.of(
            service,
            one,
            Docs.slice(
                "ready-2",
                "ready",
                port("http", TWO),
                "{addresses: [127.0.0.1], conditions: {ready: true}}")));
    awaitBoth("ready80.example");
  }

  @Test
  void severalSlicesAreOneService() {
    rig.write("several.yaml", Yaml.service("several", ONE.port(), TWO.port()));
    route("several", 80);
    awaitBoth("several80.example");

    rig.write("several.yaml", Yaml.service("several", TWO.port()));
    Plane.await("one is gone", () -> rig.admin().endpoints("default/several/80").size() == 1);
    assertThat(Rig.seen(rig.http(), "several80.example", "/")).isEqualTo("200 two");
  }

  @Test
  void portsAreFoundByTheirNames() {
    rig.write(
        "ports.yaml",
        Docs.of(
            Docs.bareService("ports", "", "{name: web, port: 80}, {name: admin, port: 81}"),
            Docs.slice(
                "ports",
                "ports",
                port("admin", TWO) + ", " + port("web", ONE),
                "{addresses: [127.0.0.1]}")));
    route("ports", 80);
    route("ports", 81);
    Rig.awaitSeen("200 one", rig.http(), "ports80.example", "/");
    Rig.awaitSeen("200 two", rig.http(), "ports81.example", "/");
  }

  @Test
  void aPortWithoutANameIsTheOnlyOne() {
    rig.write(
        "unnamed.yaml",
        Docs.of(
            Docs.bareService("unnamed", "", "{port: 80}"),
            Docs.slice(
                "unnamed", "unnamed", "{port: " + ONE.port() + "}", "{addresses: [127.0.0.1]}")));
    route("unnamed", 80);
    Rig.awaitSeen("200 one", rig.http(), "unnamed80.example", "/");
  }

  @Test
  void zonesAreLocalities() {
    rig.write(
        "zones.yaml",
        Docs.of(
            Docs.bareService("zones", "", "{name: http, port: 80}"),
            Docs.slice(
                "zones-1", "zones", port("http", ONE), "{addresses: [127.0.0.1], zone: east}"),
            Docs.slice(
                "zones-2", "zones", port("http", TWO), "{addresses: [127.0.0.1], zone: west}")));
    route("zones", 80);
    awaitBoth("zones80.example");
    String dump = endpoints("default/zones/http");
    assertThat(dump).contains("\"zone\":\"east\"").contains("\"zone\":\"west\"");
  }

  private static String endpoints(String name) {
    return rig.admin().configDump("dynamic_endpoint_configs").stream()
        .map((JsonObject entry) -> entry.getAsJsonObject("endpoint_config").toString())
        .filter(config -> config.contains("\"" + name + "\""))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aServiceWithoutEndpointsAnswers503UntilOneComes() {
    rig.write("empty.yaml", Yaml.service("empty"));
    route("empty", 80);
    Rig.awaitSeen("503", rig.http(), "empty80.example", "/");
    rig.write("empty.yaml", Yaml.service("empty", ONE.port()));
    Rig.awaitSeen("200 one", rig.http(), "empty80.example", "/");
    rig.plane().awaitProgrammed("EndpointSlice/default/empty-" + ONE.port(), 1);
  }
}
