// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.fleet;

import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.GrpcSupport;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fleet as the rollout sees it. A reconnecting proxy names what it runs type by type. */
class ConnectedFleetTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aReconnectedProxyRunsAnObjectOnlyOnceItHasRequestedItsTypes(Protocol protocol) {
    Resource cluster = TestResources.cluster("a", "1");
    Resource listener = TestResources.listener("l", "1");
    Resource routes = TestResources.routes("r", "1");
    ads.serve(cluster, listener, routes);
    FakeXdsStream before = ads.envoy(protocol).all(CLUSTER);
    String clusters = before.accept(CLUSTER).version();
    before.all(LISTENER);
    String listeners = before.accept(LISTENER).version();
    before.subscribe(ROUTES, "r");
    String version = before.accept(ROUTES).version();
    before.close();
    ConnectedFleet stage = new ConnectedFleet(ads.server, () -> {});
    TranslatedObject owner =
        new TranslatedObject(
            TestResources.owner("r"),
            1,
            List.of(),
            List.of(),
            GrpcSupport.NONE,
            TranslatedObject.Participation.OURS,
            PersistentMap.<ResourceId, String>empty().with(routes.id(), routes.version()));

    FakeXdsStream envoy =
        ads.envoy(protocol).resume(CLUSTER, clusters, Map.of("a", cluster.version()));
    assertThat(stage.runs("envoy-1", owner)).as("it has yet to ask for routes").isFalse();
    assertThat(stage.wasRunningOnConnect("envoy-1")).isFalse();

    envoy
        .resume(LISTENER, listeners, Map.of("l", listener.version()))
        .resume(ROUTES, version, Map.of("r", routes.version()), "r");
    assertThat(stage.runs("envoy-1", owner)).isTrue();
    assertThat(stage.wasRunningOnConnect("envoy-1")).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyThatRequestsItsFirstRoutesServesNothingThatItCouldLose(Protocol protocol) {
    ads.serve(
        TestResources.cluster("a", "1"),
        TestResources.listener("l", "1"),
        TestResources.routes("r", "1"));
    ConnectedFleet stage = new ConnectedFleet(ads.server, () -> {});
    FakeXdsStream envoy =
        ads.envoy(protocol)
            .resume(CLUSTER, "unknown-1", Map.of("a", "unknown"))
            .resume(LISTENER, "unknown-2", Map.of("l", "unknown"));
    assertThat(stage.isAdopted("envoy-1")).isTrue();

    envoy.subscribe(ROUTES, "r");

    assertThat(stage.isAdopted("envoy-1")).isFalse();
    assertThat(stage.wasRunningOnConnect("envoy-1")).isFalse();
  }
}
