// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.server.options.ListenAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Envoy on a machine where something else has the port. */
class TakenPortTest {
  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void itHealsWithoutAnyEditWhenThePortIsFreed(String protocol) throws IOException {
    ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    try {
      itHeals(protocol, other);
    } finally {
      other.close();
    }
  }

  private static void itHeals(String protocol, ServerSocket other) throws IOException {
    int port = other.getLocalPort();
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.startOn(
                new ListenAddress("127.0.0.1", port),
                new ListenAddress("0.0.0.0", 0),
                "services.yaml",
                Yaml.service("one", one.port()),
                "a.yaml",
                host("a"));
        EnvoyProcess envoy =
            EnvoyProcess.start(
                protocol.equals("delta")
                    ? EnvoyBootstrap.delta(plane.xdsPort())
                    : EnvoyBootstrap.sotw(plane.xdsPort()))) {
      String reason =
          "Listener ingress_http: cannot bind '127.0.0.1:" + port + "': Address already in use";
      plane.awaitMessage("HTTPProxy/default/a", "Programmed", reason);
      Plane.Said said = plane.said("HTTPProxy/default/a", "Programmed");
      assertThat(said.status() + "/" + said.reason()).isEqualTo("Unknown/Pending");
      assertThat(said.message()).endsWith("it is tried again by itself, at least once a minute");
      assertThat(plane.items("/api/v1/holds")).isEmpty();
      assertThat(plane.items("/api/v1/incidents")).isEmpty();
      assertThat(plane.get("/api/v1/proxies").toString()).containsPattern("\"retryAt\":\"2");

      // Others go on being told what is new.
      plane.write("b.yaml", host("b"));
      plane.awaitMessage("HTTPProxy/default/b", "Programmed", reason);

      other.close();
      plane.awaitProgrammed("HTTPProxy/default/a", 1);
      plane.awaitProgrammed("HTTPProxy/default/b", 1);
      Http http = Http.on(port);
      assertThat(http.get("/").host("a.example.com").send().backend()).isEqualTo("one");
      assertThat(http.get("/").host("b.example.com").send().backend()).isEqualTo("one");
      assertThat(envoy.admin().stat("listener_manager.lds.update_rejected")).isPositive();
    }
  }

  private static String host(String name) {
    return Yaml.root(name, name + ".example.com", "routes: [{services: [{name: one, port: 80}]}]");
  }
}
