// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.aggregate;
import static dev.holdfast.grpc.config.Dependent.config;
import static dev.holdfast.grpc.config.Dependent.error;
import static dev.holdfast.grpc.config.Dependent.leaves;
import static dev.holdfast.grpc.config.Dependent.ports;
import static dev.holdfast.grpc.config.Dependent.routesTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** Aggregate clusters (gRFC A37, A75). */
class AggregateClustersTest {
  @Test
  void g110AnAggregateWaitsForAllThatIsUnderIt() {
    try (Dependent it = routesToAggregate("x", "y")) {
      leaf(it, "x", 1).nothing();
      it.cluster(Resources.edsCluster("y")).nothing();
      it.endpoints("y", 2);
      XdsConfig config = it.next();
      assertThat(leaves(config, "a")).containsExactly("x", "y");
      assertThat(config.clusters()).containsOnlyKeys("a", "x", "y");
    }
  }

  @Test
  void leavesComeDepthFirstAndStayAtTheirFirstPlace() {
    try (Dependent it = routesToAggregate("x", "b", "y")) {
      leaf(it, "x", 1);
      leaf(it, "y", 2);
      it.cluster(aggregate("b", "z", "x"));
      leaf(it, "z", 3);
      XdsConfig config = it.next();
      assertThat(leaves(config, "a")).containsExactly("x", "z", "y");
      assertThat(config.clusters()).as("b is no place for calls").doesNotContainKey("b");
    }
  }

  @Test
  void g111LeafThatFailsKeepsItsPlaceAndTheOthersWork() {
    try (Dependent it = routesToAggregate("x", "y")) {
      leaf(it, "y", 2);
      it.fail("CDS", "x", Status.Code.NOT_FOUND, "does not exist");
      XdsConfig config = it.next();
      assertThat(leaves(config, "a")).containsExactly("x", "y");
      assertThat(error(config, "x").getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(ports(config, "y")).isEqualTo("2");
    }
  }

  @Test
  void g112ClusterUnderItselfFailsAlone() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(routesTo("r", "a", "c", "top"));
      leaf(it, "c", 1);
      it.cluster(aggregate("a", "b", "c")).cluster(aggregate("b", "a"));
      it.cluster(aggregate("top", "a", "c"));
      XdsConfig config = it.next();
      assertThat(error(config, "a").getDescription())
          .isEqualTo("aggregate cluster a contains itself (expected: no cycles) (node ID:node-1)");
      assertThat(ports(config, "c")).isEqualTo("1");
      assertThat(leaves(config, "top")).containsExactly("c");

      it.cluster(aggregate("b", "c"));
      assertThat(leaves(it.next(), "a")).containsExactly("c");
    }
  }

  @Test
  void aggregateWithNothingButCyclesUnderItFails() {
    try (Dependent it = routesToAggregate("b")) {
      it.cluster(aggregate("b", "b"));
      assertThat(error(it.next(), "a").getDescription())
          .contains("aggregate cluster a: no clusters with endpoints under it");
    }
  }

  @Test
  void g113SixteenLevelsAreEnoughForEverybody() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(Resources.routesTo("r", "n1"));
      for (int level = 1; level < 16; level++) {
        it.cluster(aggregate("n" + level, "n" + (level + 1)));
      }
      leaf(it, "n16", 1);
      assertThat(leaves(it.next(), "n1")).containsExactly("n16");

      it.cluster(aggregate("n16", "n17"));
      XdsConfig config = it.next();
      assertThat(error(config, "n1").getDescription())
          .isEqualTo(
              "aggregate cluster n1: nested too deeply (expected: at most 16 levels)"
                  + " (node ID:node-1)");
      assertThat(it.xds.watched()).doesNotContain("CDS n17");
    }
  }

  @Test
  void newLeafIsWaitedForWhileTheOldOnesLiveOn() {
    try (Dependent it = routesToAggregate("x")) {
      leaf(it, "x", 1);
      XdsConfig first = it.next();
      it.cluster(aggregate("a", "y")).nothing();
      it.endpoints("x", 5);
      XdsConfig meanwhile = it.next();
      assertThat(config(meanwhile, "a")).isSameAs(config(first, "a"));
      assertThat(ports(meanwhile, "x")).isEqualTo("5");

      leaf(it, "y", 2);
      XdsConfig after = it.next();
      assertThat(leaves(after, "a")).containsExactly("y");
      assertThat(after.clusters()).containsOnlyKeys("a", "y");
      assertThat(it.xds.watched()).doesNotContain("CDS x", "EDS x");
    }
  }

  @Test
  void changeOfALeafLeavesTheAggregateTheSame() {
    try (Dependent it = routesToAggregate("x", "y")) {
      leaf(it, "x", 1);
      leaf(it, "y", 2);
      XdsConfig before = it.next();
      it.endpoints("y", 3);
      XdsConfig after = it.next();
      assertThat(config(after, "a")).isSameAs(config(before, "a"));
      assertThat(config(after, "x")).isSameAs(config(before, "x"));
    }
  }

  @Test
  void clusterThatCeasesToBeAnAggregateLetsGoOfItsLeaves() {
    try (Dependent it = routesToAggregate("x")) {
      leaf(it, "x", 1);
      it.next();
      leaf(it, "a", 2);
      XdsConfig after = it.next();
      assertThat(ports(after, "a")).isEqualTo("2");
      assertThat(after.clusters()).containsOnlyKeys("a");
      assertThat(it.xds.watched()).doesNotContain("CDS x", "EDS x");
    }
  }

  private static Dependent routesToAggregate(String... under) {
    Dependent it = new Dependent();
    return it.listener("r").routes(Resources.routesTo("r", "a")).cluster(aggregate("a", under));
  }

  private static Dependent leaf(Dependent it, String name, int port) {
    return it.cluster(Resources.edsCluster(name)).endpoints(name, port);
  }
}
