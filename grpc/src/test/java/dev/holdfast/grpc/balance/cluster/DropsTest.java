// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.withDrops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.xds.resources.endpoint.DropOverload;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class DropsTest {
  private final Leaf leaf = new Leaf();

  private static ClusterConfig dropping(DropOverload... drops) {
    return leaf(cluster("c"), withDrops(assignment(1), drops));
  }

  @Test
  void aDroppedCallIsToldUnderWhichHeading() {
    leaf.give(dropping(new DropOverload("throttle", 1_000_000)));
    leaf.connectAll();
    PickResult result = leaf.channel.pick(Leaf.call());
    assertThat(result.isDrop()).isTrue();
    assertThat(result.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(result.getStatus().getDescription())
        .isEqualTo("cluster c: call dropped by category \"throttle\" of its endpoints' policy");
  }

  @Test
  void theShareIsPerMillion() {
    leaf.give(dropping(new DropOverload("lb", 250_000)));
    leaf.connectAll();
    assertThat(dropped(20_000)).isCloseTo(0.25, within(0.01));
  }

  @Test
  void eachHeadingTakesItsShareOfWhatTheOnesBeforeItLeft() {
    leaf.give(dropping(new DropOverload("lb", 500_000), new DropOverload("throttle", 500_000)));
    leaf.connectAll();
    assertThat(dropped(20_000)).isCloseTo(0.75, within(0.01));
  }

  @Test
  void noneAreDroppedWhereNothingSaysSo() {
    leaf.give(dropping(new DropOverload("lb", 0)));
    leaf.connectAll();
    assertThat(dropped(1_000)).isZero();
  }

  @Test
  void dropsAreCountedByHeading() {
    leaf.give(dropping(new DropOverload("lb", 1_000_000)));
    leaf.channel.pick(Leaf.call());
    assertThat(leaf.channel.counted()).containsExactly(List.of("xds:///fake", "c", "lb"));
  }

  @Test
  void otherDropsReachNothingBelow() {
    leaf.give(dropping());
    leaf.connectAll();
    leaf.give(dropping(new DropOverload("lb", 1_000_000)));
    assertThat(leaf.channel.pick(Leaf.call()).isDrop()).isTrue();
    assertThat(leaf.channel.subchannels()).hasSize(1);
    assertThat(leaf.channel.subchannel(1).updates()).isZero();
    leaf.give(dropping());
    assertThat(leaf.channel.port(Leaf.call())).isEqualTo(1);
  }

  private double dropped(int calls) {
    int dropped = 0;
    for (int i = 0; i < calls; i++) {
      if (leaf.channel.pick(Leaf.call()).isDrop()) {
        dropped++;
      }
    }
    return (double) dropped / calls;
  }
}
