// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host waits for a Service that was rejected, by way of an object that it includes. */
class DependentTest {
  private static final String ROOT =
      """
      ---
      apiVersion: projectcontour.io/v1
      kind: HTTPProxy
      metadata: {name: root}
      spec: {virtualhost: {fqdn: root.example.com}, includes: [{name: child}]}
      """;

  private final World world = new World().up();

  @AfterEach
  void close() {
    world.close();
  }

  private static String child(String routes) {
    return """
        ---
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: child}
        spec: {routes: [%s]}
        """
        .formatted(routes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsServedOnceItHasNothingToDoWithItAnyMore(boolean delta) {
    FakeEnvoy envoy =
        world.join(
            "e",
            delta,
            Validator.on(
                Cluster.class,
                cluster -> cluster.getName().contains("/bad/") ? "no such thing" : null));
    world.write(Objects.host("other", 201)).settle();
    String route = child("{services: [{name: bad, port: 80}]}");
    world.write(ROOT + route + Objects.service("bad", "10.0.0.1")).settle();
    assertThat(world.held()).anyMatch(hold -> hold.contains("bad"));
    assertThat(envoy.route("root.example.com", "/").status()).isEqualTo(404);

    world.write(child("{directResponsePolicy: {statusCode: 202}}")).settle();

    assertThat(envoy.route("root.example.com", "/").status()).isEqualTo(202);
    assertThat(world.held()).noneMatch(hold -> hold.contains("root"));
  }
}
