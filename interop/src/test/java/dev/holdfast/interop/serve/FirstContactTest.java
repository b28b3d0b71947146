// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in, requests through. */
class FirstContactTest {
  private static final String SHOP = "HTTPProxy/default/shop";

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void anEditOfAFileReachesEnvoyAndItsAuthor(String protocol) {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()),
                "shop.yaml",
                Yaml.root(
                    "shop", "shop.example.com", "routes: [{services: [{name: one, port: 80}]}]"));
        EnvoyProcess envoy =
            EnvoyProcess.start(
                protocol.equals("delta")
                    ? EnvoyBootstrap.delta(plane.xdsPort())
                    : EnvoyBootstrap.sotw(plane.xdsPort()))) {
      plane.awaitProgrammed(SHOP, 1);
      Http http = envoy.http("ingress_http");
      assertThat(http.get("/").host("shop.example.com").send().backend()).isEqualTo("one");

      plane.write(
          "shop.yaml",
          Yaml.root("shop", "shop.example.com", "routes: [{services: [{name: two, port: 80}]}]"));
      plane.awaitProgrammed(SHOP, 2);
      assertThat(http.get("/").host("shop.example.com").send().backend()).isEqualTo("two");

      plane.delete("shop.yaml");
      Plane.await("gone", () -> http.get("/").host("shop.example.com").send().status() == 404);
    }
  }
}
