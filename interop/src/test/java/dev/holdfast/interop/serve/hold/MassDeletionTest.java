// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import dev.holdfast.interop.serve.Yaml;
import dev.holdfast.testkit.TestCa;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory that was emptied takes no host down before somebody confirms it. */
class MassDeletionTest {
  private static final int HOSTS = 12;
  private static final String DIRECT = "routes: [{directResponsePolicy: {statusCode: 204}}]";
  private static final TestCa CA = TestCa.create("holdfast test");

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void anEmptiedDirectoryIsServedThroughAKillUntilItIsConfirmed(String protocol) throws Exception {
    try (Backend backend = Backend.start("b0");
        PlaneProcess plane = new PlaneProcess(root)) {
      writeAll(plane, backend);
      plane.up();
      try (EnvoyProcess envoy = envoy(plane, protocol)) {
        Plane.await("all is programmed", () -> programmed(plane) == HOSTS);
        int port = envoy.http("ingress_http").port();
        try (Load load = new Load(port, hosts())) {
          deleteAll(plane);
          Plane.await("the deletions wait", () -> waiting(plane) == HOSTS + 2);
          assertThat(programmed(plane)).isEqualTo(HOSTS);
          assertThat(plane.metric("holdfast_deletions_waiting")).isEqualTo(HOSTS + 2);
          plane.end("KILL");
          plane.up();
          Plane.await("Envoy is back", () -> plane.items("/api/v1/proxies").size() == 1);
          Plane.await("they still wait", () -> waiting(plane) == HOSTS + 2);
          Plane.await("all is programmed", () -> programmed(plane) == HOSTS);
          try (EnvoyProcess another = envoy(plane, protocol)) {
            Plane.await(
                "an Envoy that starts now serves them, too",
                () -> status(another.http("ingress_http"), hosts().get(3)) == 200);
          }
          writeAll(plane, backend);
          Plane.await("undone", () -> waiting(plane) == 0);
          plane.end("KILL");
          deleteAll(plane); // while nobody looks
          plane.up();
          Plane.await("they wait again", () -> waiting(plane) == HOSTS + 2);
          Plane.await("Envoy is back", () -> plane.items("/api/v1/proxies").size() == 1);
          assertThat(load.failures()).isEmpty();
          assertThat(load.requests()).isPositive();
        }
        assertThat(plane.post("/api/v1/deletions/confirm")).isEqualTo(200);
        Http http = envoy.http("ingress_http");
        Plane.await("all are gone", () -> hosts().stream().allMatch(h -> status(http, h) == 404));
        plane.end("KILL");
        plane.up();
        Plane.await("Envoy is back", () -> plane.items("/api/v1/proxies").size() == 1);
        assertThat(waiting(plane)).isZero();
        assertThat(status(http, hosts().get(0))).isEqualTo(404);
      }
    }
  }

  @Test
  void fewDeletionsApplyAtOnce() throws Exception {
    try (Backend backend = Backend.start("b0");
        PlaneProcess plane = new PlaneProcess(root)) {
      writeAll(plane, backend);
      plane.up();
      try (EnvoyProcess envoy = envoy(plane, "delta")) {
        Plane.await("all is programmed", () -> programmed(plane) == HOSTS);
        Http http = envoy.http("ingress_http");
        try (Load load = new Load(http.port(), hosts().subList(5, HOSTS))) {
          for (int i = 0; i < 5; i++) {
            plane.write("h" + i + ".yaml", null);
          }
          Plane.await(
              "they are gone",
              () -> hosts().subList(0, 5).stream().allMatch(host -> status(http, host) == 404));
          assertThat(waiting(plane)).isZero();
          assertThat(load.failures()).isEmpty();
          assertThat(load.requests()).isPositive();
        }
      }
    }
  }

  /** What a Secret held is not stored: the proxies keep it as long as they run. */
  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void hostsWithCertificatesAreServedThroughAKillByProxiesThatHaveThem(String protocol)
      throws Exception {
    try (Backend backend = Backend.start("b0");
        PlaneProcess plane = new PlaneProcess(root)) {
      writeAll(plane, backend);
      String tls =
          Docs.of(
              Docs.tlsSecret("cert", CA.issue("tls.example.com")),
              Docs.secure("tls", "tls.example.com", "secretName: cert", "s"));
      plane.write("tls.yaml", tls);
      plane.up();
      try (EnvoyProcess envoy = envoy(plane, protocol)) {
        Plane.await("all is programmed", () -> programmed(plane) == HOSTS + 1);
        Http https = envoy.http("ingress_https").with(Tls.sni("tls.example.com", CA));
        assertThat(status(https, "tls.example.com")).isEqualTo(200);
        deleteAll(plane);
        plane.write("tls.yaml", null);
        Plane.await("the deletions wait", () -> waiting(plane) == HOSTS + 4);
        assertThat(status(https, "tls.example.com")).isEqualTo(200);

        plane.end("KILL");
        plane.up();
        Plane.await("Envoy is back", () -> plane.items("/api/v1/proxies").size() == 1);
        Plane.await("all is programmed", () -> programmed(plane) == HOSTS + 1);
        plane.write("other.yaml", Yaml.root("o", "o.example.com", DIRECT));
        Http http = envoy.http("ingress_http");
        Plane.await("another host is served", () -> status(http, "o.example.com") == 204);
        assertThat(status(https, "tls.example.com")).isEqualTo(200);
        assertThat(waiting(plane)).isEqualTo(HOSTS + 4);
        try (EnvoyProcess another = envoy(plane, protocol)) {
          Plane.await(
              "an Envoy that starts now serves the hosts without certificates",
              () -> status(another.http("ingress_http"), hosts().get(3)) == 200);
        }

        plane.write("tls.yaml", tls);
        Plane.await("the Secret is back", () -> waiting(plane) == HOSTS + 2);
        try (EnvoyProcess another = envoy(plane, protocol)) {
          Plane.await(
              "an Envoy that starts now serves this one, too",
              () -> serves(another, "tls.example.com"));
        }
        assertThat(status(https, "tls.example.com")).isEqualTo(200);
      }
    }
  }

  private static EnvoyProcess envoy(PlaneProcess plane, String protocol) {
    return EnvoyProcess.start(
        protocol.equals("delta")
            ? EnvoyBootstrap.delta(plane.xdsPort())
            : EnvoyBootstrap.sotw(plane.xdsPort()));
  }

  private static List<String> hosts() {
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < HOSTS; i++) {
      hosts.add("h" + i + ".example.com");
    }
    return hosts;
  }

  private static void writeAll(PlaneProcess plane, Backend backend) {
    plane.write("service.yaml", Yaml.service("s", backend.port()));
    for (int i = 0; i < HOSTS; i++) {
      plane.write(
          "h" + i + ".yaml",
          Yaml.root("h" + i, hosts().get(i), "routes: [{services: [{name: s, port: 80}]}]"));
    }
  }

  private static void deleteAll(PlaneProcess plane) {
    for (int i = 0; i < HOSTS; i++) {
      plane.write("h" + i + ".yaml", null);
    }
    plane.write("service.yaml", null);
  }

  private static boolean serves(EnvoyProcess envoy, String host) {
    try {
      return status(envoy.http("ingress_https").with(Tls.sni(host, CA)), host) == 200;
    } catch (UncheckedIOException e) {
      return false; // no certificate yet
    }
  }

  private static int status(Http http, String host) {
    return http.get("/").host(host).send().status();
  }

  private static int waiting(PlaneProcess plane) throws Exception {
    return plane.items("/api/v1/deletions").size();
  }

  /** How many hosts run everywhere. */
  private static long programmed(PlaneProcess plane) throws Exception {
    return plane.objects().values().stream()
        .filter(object -> object.get("kind").getAsString().equals("HTTPProxy"))
        .map(PlaneProcess::programmed)
        .filter("True/Programmed"::equals)
        .count();
  }
}
