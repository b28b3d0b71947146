// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  @Test
  void readsExtensionsInsideOfJson() throws Exception {
    HttpConnectionManager manager =
        Resources.apiListener("l", "r")
            .getApiListener()
            .getApiListener()
            .unpack(HttpConnectionManager.class);

    assertThat(manager.getRds().getRouteConfigName()).isEqualTo("r");
  }

  @Test
  void makesTheSmallestUsefulResources() {
    assertThat(Resources.routesTo("r", "c").getVirtualHosts(0).getRoutes(0).getRoute().getCluster())
        .isEqualTo("c");
    assertThat(Resources.edsCluster("c").getEdsClusterConfig().getServiceName()).isEqualTo("c");
    assertThat(Resources.endpoints("e", 1, 2).getEndpoints(0).getLbEndpointsCount()).isEqualTo(2);
  }

  @Test
  void saysWhatIsWrongWithTheJson() {
    assertThatThrownBy(() -> Resources.cluster("{\"nmae\": \"x\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nmae")
        .hasMessageContaining("envoy.config.cluster.v3.Cluster");
  }
}
