// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Virtual hosts and route tables. */
class VirtualHostTest {
  private static final List<Route> ROUTES =
      List.of(Routes.failing(RouteMatches.everything("a.example"), 404));

  @Test
  void virtualHostHasNameRoutesAndFilterConfigs() {
    VirtualHost host =
        VirtualHosts.of(
            "*.example",
            ROUTES,
            FilterConfigs.of(YamlFixtures.host("ipDenyPolicy: [{source: Peer, cidr: 1.2.3.4}]")));

    assertThat(host.getName()).isEqualTo("*.example");
    assertThat(host.getDomainsList()).containsExactly("*.example");
    assertThat(host.getRoutesList()).isEqualTo(ROUTES);
    assertThat(host.getTypedPerFilterConfigMap()).containsOnlyKeys("envoy.filters.http.rbac");
  }

  @Test
  void routeTableIgnoresPorts() {
    assertThat(Text.of(RouteConfigurations.skeleton("ingress_http")))
        .isEqualTo("name: \"ingress_http\" ignore_port_in_host_matching: true");
  }

  @Test
  void skeletonPlusHostsEqualsTheTable() {
    VirtualHost host = VirtualHosts.of("a.example", ROUTES, Collections.emptySortedMap());

    RouteConfiguration table = RouteConfigurations.of("https/a.example", List.of(host));

    assertThat(table.toBuilder().clearVirtualHosts().build())
        .isEqualTo(RouteConfigurations.skeleton("https/a.example"));
    assertThat(table.getVirtualHostsList()).containsExactly(host);
  }

  @Test
  void requestsForOtherHostsAnswer421() {
    assertThat(Text.of(VirtualHosts.misdirected()))
        .isEqualTo(
            "name: \"misdirected\" domains: \"*\" routes { match { prefix: \"/\" }"
                + " direct_response { status: 421 } }");
  }
}
