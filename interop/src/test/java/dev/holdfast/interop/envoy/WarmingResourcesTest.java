// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.listener;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.server.envoy.EnvoyProgram;
import dev.holdfast.server.envoy.LocalEnvoy;
import dev.holdfast.server.envoy.WarmingResources;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/**
 * A listener that is accepted and never becomes active, on a real Envoy: its admin port says so,
 * and what the listener waits for. No author can make one in Holdfast, so the server is ours.
 */
class WarmingResourcesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Test
  void whatAnEnvoyAcceptsAndDoesNotUseIsFound() throws Exception {
    EnvoyProgram program = EnvoyProgram.at(EnvoyBinary.find());
    FakeAdsServer ads = FakeAdsServer.start();
    try (LocalEnvoy envoy =
        LocalEnvoy.start(
            program,
            dev.holdfast.server.envoy.EnvoyBootstrap.of(
                "s1", "c", 0, new ListenAddress("127.0.0.1", ads.port())),
            new LocalEnvoy.Settings(Duration.ofMinutes(1), Duration.ofMinutes(1), 0, 0))) {
      Script script = Script.next(ads, /* delta= */ true);
      script.awaitSubscription(TypeUrls.CLUSTER);
      script.push(EnvoyResources.staticCluster("one", 1)).acked();
      script.awaitSubscription(TypeUrls.LISTENER);
      // Until it has started, an Envoy waits for everything, and calls nothing warming.
      script.push(listener("ingress", "routes")).acked();
      script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "routes");
      script.push(routes("routes", host("one.example", "one"))).acked();
      Plane.await("it has started", () -> state(envoy).contains("\"LIVE\""));
      assertThat(WarmingResources.isNone(envoy.admin(), PATIENCE)).isTrue();

      script.push(listener("slow", "later")).acked();
      ResourceId slow = new ResourceId(ResourceType.LISTENER, "slow");
      Plane.await("it is found", () -> warming(envoy).containsKey(slow));
      assertThat(WarmingResources.isNone(envoy.admin(), PATIENCE)).isFalse();
      assertThat(warming(envoy).keySet()).containsExactly(slow);
      assertThat(warming(envoy).get(slow))
          .singleElement()
          .satisfies(target -> assertThat(target).contains("later"));

      script.push(routes("later", host("one.example", "one"))).acked();
      Plane.await("it is in use", () -> warming(envoy).isEmpty());
      assertThat(WarmingResources.isNone(envoy.admin(), PATIENCE)).isTrue();
    } finally {
      ads.close();
    }
  }

  private static String state(LocalEnvoy envoy) {
    try {
      return envoy.admin().get("/server_info", PATIENCE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SortedMap<ResourceId, List<String>> warming(LocalEnvoy envoy) {
    try {
      return WarmingResources.of(envoy.admin(), PATIENCE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
