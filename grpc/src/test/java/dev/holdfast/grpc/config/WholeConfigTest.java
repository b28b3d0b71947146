// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.config;
import static dev.holdfast.grpc.config.Dependent.error;
import static dev.holdfast.grpc.config.Dependent.ports;
import static dev.holdfast.grpc.config.Dependent.routesTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** When there is a configuration, and what makes another one. */
class WholeConfigTest {
  @Test
  void g100NothingIsToldBeforeEverythingIsAnswered() {
    try (Dependent it = new Dependent()) {
      assertThat(it.xds.watched()).containsExactly("LDS svc");
      it.listener("r").nothing();
      it.routes(Resources.routesTo("r", "c")).nothing();
      it.cluster(Resources.edsCluster("c", "e")).nothing();
      assertThat(it.xds.watched()).containsExactly("CDS c", "EDS e", "LDS svc", "RDS r");
      it.endpoints("e", 1);

      XdsConfig config = it.next();
      assertThat(config.clusters()).containsOnlyKeys("c");
      assertThat(ports(config, "c")).isEqualTo("1");
      assertThat(config.virtualHost().name()).isEqualTo("all");
      it.nothing();
    }
  }

  @Test
  void g101RoutesMayStandInsideTheListener() {
    try (Dependent it = new Dependent()) {
      it.xds.send("LDS", "svc", inline());
      it.settle();
      assertThat(it.xds.watched()).containsExactly("CDS c", "LDS svc");
      it.cluster(Resources.edsCluster("c")).endpoints("c", 7);
      assertThat(ports(it.next(), "c")).isEqualTo("7");
    }
  }

  @Test
  void g107NewRoutesWaitForTheirClustersWhileTheOldOnesLiveOn() {
    try (Dependent it = Dependent.withOneCluster()) {
      XdsConfig first = it.next();
      it.routes(routesTo("r", "c", "d")).nothing();

      it.endpoints("c", 2);
      XdsConfig meanwhile = it.next();
      assertThat(meanwhile.virtualHost()).isSameAs(first.virtualHost());
      assertThat(meanwhile.clusters()).containsOnlyKeys("c");
      assertThat(ports(meanwhile, "c")).isEqualTo("2");

      it.cluster(Resources.edsCluster("d")).nothing();
      it.endpoints("d", 3);
      XdsConfig after = it.next();
      assertThat(after.virtualHost().routes()).hasSize(2);
      assertThat(after.clusters()).containsOnlyKeys("c", "d");
      assertThat(after.clusters().get("c")).isSameAs(meanwhile.clusters().get("c"));
      it.nothing();
    }
  }

  @Test
  void g109ClusterThatCannotBeHadFailsAloneAndIsUnavailable() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(routesTo("r", "c", "d"));
      it.cluster(Resources.edsCluster("c")).endpoints("c", 1).nothing();
      it.fail("CDS", "d", Status.Code.NOT_FOUND, "does not exist");

      XdsConfig config = it.next();
      assertThat(ports(config, "c")).isEqualTo("1");
      assertThat(error(config, "d").getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error(config, "d").getDescription())
          .isEqualTo("CDS resource d: does not exist (node ID:node-1)");
    }
  }

  @Test
  void h35ClusterWithoutEndpointsSaysWhyAndIsUnavailable() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(Resources.routesTo("r", "c")).cluster(Resources.edsCluster("c"));
      it.fail("EDS", "c", Status.Code.PERMISSION_DENIED, "not yours");

      Status status = Dependent.assignment(it.next(), "c").getStatus();
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription()).isEqualTo("EDS resource c: not yours (node ID:node-1)");

      it.endpoints("c", 4);
      assertThat(ports(it.next(), "c")).isEqualTo("4");
    }
  }

  @Test
  void g108theRouteWatchMovesWithTheListener() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.listener("r2");
      assertThat(it.xds.takeEnded()).containsExactly("RDS r replaced");
      it.endpoints("c", 9);
      assertThat(ports(it.next(), "c")).isEqualTo("9");

      it.xds.send("LDS", "svc", inline());
      it.settle();
      assertThat(it.xds.takeEnded()).containsExactly("RDS r2 cancelled");
      assertThat(it.next().manager().routes().toString()).contains("Inline");
      it.nothing();
    }
  }

  @Test
  void clusterThatMovesToOtherEndpointsKeepsTheOldOnesUntilTheyAreThere() {
    try (Dependent it = Dependent.withOneCluster()) {
      XdsConfig first = it.next();
      it.cluster(Resources.edsCluster("c", "e")).nothing();
      assertThat(it.xds.takeEnded()).containsExactly("EDS c replaced");
      it.xds.healed("CDS", "c");
      it.settle();
      it.nothing();

      it.endpoints("e", 5);
      XdsConfig moved = it.next();
      assertThat(ports(first, "c")).isEqualTo("1");
      assertThat(ports(moved, "c")).isEqualTo("5");
    }
  }

  @Test
  void whatHappensInOneTurnMakesOneConfiguration() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(routesTo("r", "c", "d"));
      it.cluster(Resources.edsCluster("c")).cluster(Resources.edsCluster("d"));
      it.inOneTurn(
          () -> {
            it.xds.send("EDS", "c", Resources.endpoints("c", 1));
            it.xds.send("EDS", "d", Resources.endpoints("d", 2));
            it.xds.send("EDS", "c", Resources.endpoints("c", 3));
          });
      XdsConfig config = it.next();
      assertThat(ports(config, "c")).isEqualTo("3");
      assertThat(ports(config, "d")).isEqualTo("2");
      it.nothing();
    }
  }

  @Test
  void whatSaysTheSameAgainMakesNone() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.routes(Resources.routesTo("r", "c"));
      it.listener("r");
      it.cluster(Resources.edsCluster("c"));
      it.nothing();
    }
  }

  @Test
  void changeOfOneClusterLeavesTheOthersTheSame() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(routesTo("r", "a", "b", "c"));
      for (String name : new String[] {"a", "b", "c"}) {
        it.cluster(Resources.edsCluster(name)).endpoints(name, 1);
      }
      XdsConfig before = it.next();
      it.endpoints("b", 2);
      XdsConfig after = it.next();

      assertThat(after.virtualHost()).isSameAs(before.virtualHost());
      assertThat(after.manager()).isSameAs(before.manager());
      assertThat(config(after, "a")).isSameAs(config(before, "a"));
      assertThat(config(after, "c")).isSameAs(config(before, "c"));
      assertThat(config(after, "b").cluster()).isSameAs(config(before, "b").cluster());
      StringBuilder different = new StringBuilder();
      ClusterMap.diff(
          before.clusters(), after.clusters(), (name, was, is) -> different.append(name));
      assertThat(different.toString()).isEqualTo("b");
    }
  }

  @Test
  void otherVirtualHostsOfTheSameRoutesDoNotMatter() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.routes(
          Resources.routeConfiguration(
              """
              {"name": "r", "virtual_hosts": [
                {"name": "other", "domains": ["other"],
                 "routes": [{"match": {"prefix": ""}, "route": {"cluster": "x"}}]},
                {"name": "all", "domains": ["*"],
                 "routes": [{"match": {"prefix": ""}, "route": {"cluster": "c"}}]}]}
              """));
      it.nothing();
      assertThat(it.xds.watched()).doesNotContain("CDS x");
    }
  }

  @Test
  void nothingIsToldAfterClosing() {
    Dependent it = Dependent.withOneCluster();
    it.next();
    it.xds.send("EDS", "c", Resources.endpoints("c", 2));
    it.close();
    it.nothing();
  }

  private static io.envoyproxy.envoy.config.listener.v3.Listener inline() {
    return Resources.listener(
        """
        {"name": "svc", "api_listener": {"api_listener": {
          "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
          "route_config": {"name": "r", "virtual_hosts": [{
            "name": "all", "domains": ["*"],
            "routes": [{"match": {"prefix": ""}, "route": {"cluster": "c"}}]}]},
          "http_filters": [{"name": "router", "typed_config":
            {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}]
        }}}
        """);
  }
}
