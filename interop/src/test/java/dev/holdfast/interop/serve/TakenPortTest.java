// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.testkit.ReservedPorts;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Envoy on a machine where something else has the port. */
class TakenPortTest {
  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void itHealsWithoutAnyEditWhenThePortIsFreed(String protocol) throws IOException {
    // When it is freed, the system gives it to nobody else.
    ServerSocket other =
        new ServerSocket(ReservedPorts.next(), 1, InetAddress.getLoopbackAddress());
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
      Plane.Said said = plane.awaitMessage("HTTPProxy/default/a", "Programmed", reason);
      assertThat(said.status() + "/" + said.reason()).isEqualTo("Unknown/Pending");
      assertThat(said.message()).endsWith("the control plane retries at least once a minute");
      assertThat(plane.items("/api/v1/holds")).isEmpty();
      assertThat(plane.items("/api/v1/incidents")).isEmpty();
      Plane.awaitAsserted( // there is no next time while it is tried
          () ->
              assertThat(plane.get("/api/v1/proxies").toString())
                  .containsPattern("\"retryAt\":\"2"));

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

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void oneThatCannotIsNoReasonToKeepAnythingFromOthers(String protocol) {
    AtomicBoolean taken = new AtomicBoolean(true);
    try (Plane plane = Plane.start("services.yaml", Yaml.service("one", 1), "a.yaml", host("a"));
        FakeEnvoy able = FakeEnvoy.start(options(protocol, "able"), plane.xdsPort())) {
      plane.awaitProgrammed("HTTPProxy/default/a", 1);
      try (FakeEnvoy unable =
          FakeEnvoy.start(
              options(protocol, "unable")
                  .withValidator(
                      Validator.on(
                          Listener.class,
                          listener ->
                              taken.get() ? "cannot bind '0.0.0.0:80': Permission denied" : null)),
              plane.xdsPort())) {
        plane.awaitMessage(
            "HTTPProxy/default/a",
            "Programmed",
            "unable (envoy 1.39.0) cannot apply Listener ingress_http: cannot bind '0.0.0.0:80'");
        plane.write("b.yaml", host("b"));
        Plane.await(
            "the other one has what is new",
            () -> able.route("b.example.com", "/").equals(able.route("a.example.com", "/")));
        Plane.await(
            "it is tried again", () -> unable.stat("listener_manager.lds.update_rejected") > 1);
        assertThat(plane.items("/api/v1/holds")).isEmpty();

        taken.set(false);
        plane.awaitProgrammed("HTTPProxy/default/a", 1);
        plane.awaitProgrammed("HTTPProxy/default/b", 1);
        assertThat(unable.activeListeners()).contains("ingress_http");
      }
    }
  }

  private static EnvoyOptions options(String protocol, String node) {
    return protocol.equals("delta") ? EnvoyOptions.delta(node) : EnvoyOptions.sotw(node);
  }

  private static String host(String name) {
    return Yaml.root(name, name + ".example.com", "routes: [{services: [{name: one, port: 80}]}]");
  }
}
