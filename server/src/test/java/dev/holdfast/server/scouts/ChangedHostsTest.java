// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.scouts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangedHostsTest {
  private static VirtualHost.Builder host(String name) {
    return VirtualHost.newBuilder().setName(name).addDomains(name);
  }

  private static RouteConfiguration routes(VirtualHost.Builder... hosts) {
    RouteConfiguration.Builder routes = RouteConfiguration.newBuilder();
    for (VirtualHost.Builder host : hosts) {
      routes.addVirtualHosts(host);
    }
    return routes.build();
  }

  @Test
  void whatIsTheSameHasNotChangedWhereverItStands() {
    assertThat(
            ChangedHosts.of(
                routes(host("a"), host("c")), routes(host("a"), host("b"), host("c")), Set.of()))
        .as("the new one")
        .containsExactly(1);
  }

  @Test
  void whatHasOtherRoutesHasChanged() {
    assertThat(
            ChangedHosts.of(
                routes(host("a"), host("b")),
                routes(host("a"), host("b").addRoutes(Route.newBuilder().setName("r"))),
                Set.of()))
        .containsExactly(1);
  }

  @Test
  void whatUsesAFilterThatChangedHasChanged() {
    RouteConfiguration both =
        routes(
            host("a").putTypedPerFilterConfig("one", Any.getDefaultInstance()),
            host("b")
                .addRoutes(
                    Route.newBuilder().putTypedPerFilterConfig("two", Any.getDefaultInstance())),
            host("c"));

    assertThat(ChangedHosts.of(both, both, Set.of("one"))).containsExactly(0);
    assertThat(ChangedHosts.of(both, both, Set.of("two"))).containsExactly(1);
    assertThat(ChangedHosts.of(both, both, Set.of("three"))).isEmpty();
  }
}
