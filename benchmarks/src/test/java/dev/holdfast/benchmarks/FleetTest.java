// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.holdfast.benchmarks.client.Kind;
import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.client.Response;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FleetTest {
  @Test
  void resourcesCarryTheNamesThatAreWatched() throws Exception {
    Fleet fleet = new Fleet(Kind.CLUSTER, 30);

    List<Any> resources = sotw(fleet.everything(Protocol.SOTW)).getResourcesList();

    for (int i = 0; i < 30; i++) {
      assertThat(Cluster.parseFrom(resources.get(i).getValue()).getName())
          .isEqualTo(Fleet.names(30).get(i));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aChangeConcernsExactlyOneResource(Kind kind) throws Exception {
    Fleet fleet = new Fleet(kind, 30);
    for (int round = 0; round < 100; round++) {
      List<Any> before = sotw(fleet.everything(Protocol.SOTW)).getResourcesList();
      int changed = fleet.change();
      List<Any> after = sotw(fleet.everything(Protocol.SOTW)).getResourcesList();

      for (int i = 0; i < 30; i++) {
        assertThat(after.get(i).equals(before.get(i))).isEqualTo(i != changed);
      }
    }
  }

  @Test
  void deltaHoldsTheSameResources() throws Exception {
    Fleet fleet = new Fleet(Kind.ENDPOINT, 30);
    int changed = fleet.change();

    DiscoveryResponse sotw = sotw(fleet.only(Protocol.SOTW, changed));
    DeltaDiscoveryResponse delta =
        DeltaDiscoveryResponse.parseFrom(fleet.only(Protocol.DELTA, changed).serialized());

    assertThat(delta.getResourcesList())
        .extracting(Resource::getResource)
        .isEqualTo(sotw.getResourcesList());
    assertThat(delta.getResources(0).getName()).isEqualTo(Fleet.names(30).get(changed));
  }

  private static DiscoveryResponse sotw(Response response) throws Exception {
    return DiscoveryResponse.parseFrom(response.serialized());
  }
}
