// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes that Envoy dies of, hangs in or refuses: with a scout, no Envoy that is served is lost to
 * them, no request fails, and the author is told sooner.
 */
class ScoutsTest {
  private static final String POLICY = "ExtensionPolicy/default/deadly";

  @ParameterizedTest
  @CsvSource({
    "exit, delta, ProxyDied",
    "exit, sotw, ProxyDied",
    "template, delta, ProxyDied",
    "hang, delta, ProxyHung",
    "hang, sotw, ProxyHung",
    "refused, delta, Rejected"
  })
  void nobodyIsLost(String what, String protocol, String reason) {
    List<SupervisedEnvoy> envoys = new ArrayList<>();
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()),
                "a.yaml",
                Hosts.good("a", "one"),
                "b.yaml",
                Hosts.good("b", "one"),
                "c.yaml",
                Hosts.good("c", "one"),
                "deadly.yaml",
                DeadlyChangeTest.lua("function envoy_on_response(h) end"))) {
      SupervisedEnvoy scout = null;
      try {
        EnvoyBootstrap bootstrap =
            protocol.equals("delta")
                ? EnvoyBootstrap.delta(plane.xdsPort())
                : EnvoyBootstrap.sotw(plane.xdsPort());
        for (String node : List.of("e1", "e2", "e3")) {
          envoys.add(new SupervisedEnvoy(bootstrap.node(node), Hosts.fqdn("b")));
        }
        scout = new SupervisedEnvoy(bootstrap.scout().node("s1"), Hosts.fqdn("b"));
        plane.awaitProgrammed(POLICY, 1);
        Plane.await("all answer", () -> envoys.stream().allMatch(e -> e.answered() > 10));
        Plane.await("the scout is asked", () -> idle(plane).equals("\"\""));

        long began = System.nanoTime();
        plane.write("deadly.yaml", DeadlyChangeTest.change(what));
        plane.write("d.yaml", Hosts.good("d", "one"));
        CompletableFuture<Double> served = SupervisedEnvoy.served(envoys, Hosts.fqdn("d"), began);
        Plane.Said said = plane.awaitSaid(POLICY, "Programmed", reason);
        double told = (System.nanoTime() - began) / 1e9;
        double others = served.join();
        assertThat(said.message()).contains("serving generation 1");
        int before = envoys.stream().mapToInt(SupervisedEnvoy::answered).sum();
        Plane.await(
            "requests go on",
            () -> envoys.stream().mapToInt(SupervisedEnvoy::answered).sum() > before + 100);
        System.out.printf(
            "scout: %s over %s: told after %.1f s, another edit answered after %.1f s, %d scouts"
                + " died%n",
            what, protocol, told, others, scout.deaths());

        assertThat(told).isLessThan(10);
        for (SupervisedEnvoy envoy : envoys) {
          assertThat(envoy.failed()).as(envoy.node()).isEmpty();
          assertThat(envoy.deaths()).as(envoy.node()).isZero();
        }
        assertThat(scout.answered()).as("requests that got to a backend by the scout").isZero();
      } finally {
        envoys.forEach(SupervisedEnvoy::close);
        if (scout != null) {
          scout.close();
        }
      }
    }
  }

  /** Envoys that refuse to have fewer clusters than a minimum, the scout like all others. */
  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void aRefusedRemovalIsToldAndKeepsNothingElse(String protocol) {
    List<SupervisedEnvoy> envoys = new ArrayList<>();
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()),
                "a.yaml",
                Hosts.good("a", "two"),
                "b.yaml",
                Hosts.good("b", "one"),
                "c.yaml",
                Hosts.good("c", "one"))) {
      try {
        EnvoyBootstrap bootstrap =
            (protocol.equals("delta")
                    ? EnvoyBootstrap.delta(plane.xdsPort())
                    : EnvoyBootstrap.sotw(plane.xdsPort()))
                .minimumClusters(2);
        for (String node : List.of("e1", "e2")) {
          envoys.add(new SupervisedEnvoy(bootstrap.node(node), Hosts.fqdn("b")));
        }
        envoys.add(new SupervisedEnvoy(bootstrap.scout().node("s1"), Hosts.fqdn("b")));
        plane.awaitProgrammed("HTTPProxy/default/c", 1);
        Plane.await(
            "all answer", () -> envoys.subList(0, 2).stream().allMatch(e -> e.answered() > 10));
        Plane.await("the scout is asked", () -> idle(plane).equals("\"\""));

        long began = System.nanoTime();
        plane.delete("a.yaml");
        plane.write("c.yaml", Hosts.twoRoutes("c", false, "one"));
        plane.awaitProgrammed("HTTPProxy/default/c", 2);
        double others = (System.nanoTime() - began) / 1e9;
        Plane.await("it is told", () -> plane.text("/api/v1/problems").contains("RemovalRefused"));
        double told = (System.nanoTime() - began) / 1e9;
        plane.write("c.yaml", Hosts.good("c", "one"));
        plane.awaitProgrammed("HTTPProxy/default/c", 3);
        System.out.printf(
            "scout: a removal refused over %s, told after %.1f s, the other edit after %.1f s%n",
            protocol, told, others);

        assertThat(told).isLessThan(10);
        assertThat(idle(plane)).as("the scout is asked").isEqualTo("\"\"");
        for (SupervisedEnvoy envoy : envoys) {
          assertThat(envoy.failed()).as(envoy.node()).isEmpty();
          assertThat(envoy.deaths()).as(envoy.node()).isZero();
        }
        assertThat(envoys.get(2).answered()).as("requests to a backend by the scout").isZero();
      } finally {
        envoys.forEach(SupervisedEnvoy::close);
      }
    }
  }

  /**
   * The state is lost while one object is bad: a search on those that are served would take away
   * what they run.
   */
  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void withoutStateTheSearchTakesPlaceOnTheScout(String protocol) {
    List<String> names = List.of("a", "b", "c", "d", "e");
    try (Plane plane =
        Plane.start("services.yaml", Scene.services(), "cert.yaml", Hosts.certificate())) {
      names.forEach(name -> plane.write(name + ".yaml", Hosts.good(name, "one")));
      plane.write("t.yaml", Hosts.good("t", true, "one"));
      EnvoyBootstrap bootstrap =
          protocol.equals("delta")
              ? EnvoyBootstrap.delta(plane.xdsPort())
              : EnvoyBootstrap.sotw(plane.xdsPort());
      try (EnvoyProcess first = EnvoyProcess.start(bootstrap.node("e1"));
          EnvoyProcess second = EnvoyProcess.start(bootstrap.node("e2"));
          EnvoyProcess scout = EnvoyProcess.start(bootstrap.scout().node("s1"))) {
        plane.awaitProgrammed("HTTPProxy/default/a", 1);
        plane.awaitProgrammed("HTTPProxy/default/t", 1);
        Plane.await("the scout is asked", () -> idle(plane).equals("\"\""));
        List<String> good = names.stream().filter(name -> !name.equals("c")).toList();
        List<String> hosts = good.stream().map(Hosts::fqdn).toList();
        try (Load one = new Load(first.admin().awaitListenerPort("ingress_http"), hosts);
            Load two = new Load(second.admin().awaitListenerPort("ingress_http"), hosts)) {
          plane.down();
          plane.forget();
          plane.write("c.yaml", Hosts.badWithoutAWord("c", "one"));
          plane.write("d.yaml", Hosts.twoRoutes("d", false, "one"));
          long began = System.nanoTime();
          plane.up();
          plane.awaitSaid("HTTPProxy/default/c", "Programmed", "RejectedNew");
          System.out.printf(
              "scout: without state over %s, told after %.1f s%n",
              protocol, (System.nanoTime() - began) / 1e9);
          for (String name : good) {
            plane.awaitProgrammed("HTTPProxy/default/" + name, 1);
          }
          plane.awaitProgrammed("HTTPProxy/default/t", 1);
          long asked = one.requests() + two.requests();
          Plane.await("requests go on", () -> one.requests() + two.requests() > asked + 200);
          assertThat(one.failures()).isEmpty();
          assertThat(two.failures()).isEmpty();
        }
        for (String port : List.of(":" + Scene.port("one"), ":" + Scene.port("two"))) {
          assertThat(scout.admin().get("/clusters")).doesNotContain(port + "::");
          assertThat(first.admin().get("/clusters") + second.admin().get("/clusters"))
              .contains(":" + Scene.port("one") + "::");
        }
      }
    }
  }

  static String idle(Plane plane) {
    for (JsonObject proxy : plane.items("/api/v1/proxies")) {
      if (proxy.has("scout")) {
        return proxy.getAsJsonObject("scout").get("idle").toString();
      }
    }
    return "";
  }
}
