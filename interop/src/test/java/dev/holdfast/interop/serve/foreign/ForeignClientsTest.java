// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import io.grpc.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A host with routes that gRPC clients cannot follow: calls to these routes fail with a reason, no
 * client crashes, and the other routes of the host work before and after.
 */
class ForeignClientsTest {
  private static final String HOST = "shop.example.com";

  /** The routes that gRPC clients cannot use, by the service that calls name. */
  private static final Map<String, String> UNUSABLE =
      Map.of(
          "Redirect", "routes[1]/redirect",
          "Direct", "routes[2]/direct-response",
          "Tls", "routes[3]/tls-upstream",
          "Random", "routes[4]/random",
          "Guarded", "routes[5]/ip-policy");

  private static @TempDir Path directory;
  private static Server backend;
  private static Plane plane;
  private static String bootstrap;

  @BeforeAll
  static void start() throws IOException {
    backend = AnyMethod.start();
    plane =
        Plane.start(
            "services.yaml",
            Yaml.service("good", backend.getPort()),
            "second.yaml",
            Yaml.service("second", backend.getPort()),
            "shop.yaml",
            shop());
    bootstrap = ForeignClient.bootstrap(plane.xdsPort());
  }

  @AfterAll
  static void stop() {
    plane.close();
    backend.shutdownNow();
  }

  private static String shop() {
    return Yaml.root(
        "shop",
        HOST,
        """
        routes:
        - services: [{name: good, port: 80, protocol: h2c}]
        - conditions: [{prefix: /shop.Redirect/}]
          requestRedirectPolicy: {path: /x}
        - conditions: [{prefix: /shop.Direct/}]
          directResponsePolicy: {statusCode: 418}
        - conditions: [{prefix: /shop.Tls/}]
          services: [{name: good, port: 80, protocol: tls}]
        - conditions: [{prefix: /shop.Random/}]
          loadBalancerPolicy: {strategy: Random}
          services: [{name: good, port: 80, protocol: h2c}]
        - conditions: [{prefix: /shop.Guarded/}]
          ipAllowPolicy: [{source: Peer, cidr: 10.0.0.0/8}]
          services: [{name: good, port: 80, protocol: h2c}]
        - conditions: [{prefix: /shop.Second/}]
          services: [{name: second, port: 80, protocol: h2c}]
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "node", "go"})
  void unusableRoutesFailAloneAndWithAReason(String language) {
    plane.write("second.yaml", Yaml.service("second", backend.getPort()));
    try (ForeignClient client = ForeignClient.start(language, HOST, bootstrap, directory)) {
      assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");
      UNUSABLE.forEach(
          (service, place) -> {
            assertThat(client.call("/shop." + service + "/Get"))
                .startsWith("UNAVAILABLE ")
                .satisfiesAnyOf(
                    // Clients that read resource errors tell the reason; the others the name.
                    said -> assertThat(said).contains("unavailable/default/shop/" + place),
                    said -> assertThat(said).contains("of HTTPProxy/default/shop fail: "));
            assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");
          });

      assertThat(client.call("/shop.Second/Get")).isEqualTo("OK served");
      plane.delete("second.yaml");
      Plane.await(
          "calls to a deleted service fail",
          () -> client.call("/shop.Second/Get").startsWith("UNAVAILABLE "));
      assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");

      plane.write("second.yaml", Yaml.service("second", backend.getPort()));
      Plane.await("the service is back", () -> client.call("/shop.Second/Get").equals("OK served"));
      assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");
    }
    Plane.Said said = plane.said("HTTPProxy/default/shop", "GrpcRoutes");
    assertThat(said.status()).isEqualTo("False");
    assertThat(said.reason()).isEqualTo("RoutesUnavailable");
    assertThat(said.message()).contains("spec.routes[1]: requestRedirectPolicy", "spec.routes[5]");
  }
}
