// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.ads.TestResources.endpoints;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.wire.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A proxy that starts again, and rejects what the rest of its class runs. */
class OddProxyRestartTest {
  private final AdsHarness ads = new AdsHarness();

  private FakeXdsStream start(Protocol protocol, String node, String address) {
    FakeXdsStream envoy = ads.envoy(protocol, node).from(address).all(CLUSTER);
    envoy.subscribe(ENDPOINTS, "c", "d");
    envoy.acceptAll();
    return envoy.subscribe(ROUTES, "r");
  }

  private FakeXdsStream restarted(Protocol protocol) {
    ads.serve(cluster("c", "1"), cluster("d", "1"), endpoints("c", "1"), endpoints("d", "1"));
    ads.serve(routes("r", "1", "c"));
    FakeXdsStream usual = start(protocol, "envoy-0", "127.0.0.1:9").acceptAll();
    FakeXdsStream odd = start(protocol, "envoy-1", "127.0.0.1:1").acceptAll();
    ads.serve(routes("r", "2", "d"));
    usual.acceptAll();
    odd.nack(odd.next(), "no");
    ads.serve(routes("r", "3", "d"));
    usual.acceptAll();
    odd.nack(odd.next(), "no");
    odd.close();
    return usual;
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void goesOnWithWhatItRan(Protocol protocol) {
    restarted(protocol);
    FakeXdsStream odd = start(protocol, "envoy-1", "127.0.0.1:2");
    assertThat(body(odd)).isEqualTo(routes("r", "1", "c").body());
    assertThat(odd.acceptAll().isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void doesNotWaitForClustersThatAreGone(Protocol protocol) {
    FakeXdsStream usual = restarted(protocol);
    ads.stop(CLUSTER, "c");
    usual.acceptAll();
    FakeXdsStream odd = start(protocol, "envoy-1", "127.0.0.1:2");

    assertThat(body(odd).toStringUtf8()).contains("no accepted configuration");
  }

  /** The routes in the next response, which stays there. */
  private static ByteString body(FakeXdsStream envoy) {
    return requireNonNull(envoy.peek().bodies().get("r"));
  }
}
