// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.policy.Outstanding;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import io.grpc.ClientStreamTracer;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private static final ClusterLoadAssignment ENDPOINTS = assignment(1);

  private final CircuitBreakers breakers = new CircuitBreakers();
  private final Leaf leaf = new Leaf(breakers);

  private static ClusterConfig limited(String name, long maxRequests) {
    return leaf(Clusters.cluster(name, LbPolicy.DEFAULT, maxRequests, null), ENDPOINTS);
  }

  private static ClientStreamTracer begin(Leaf leaf) {
    return FakeCall.begin(leaf.channel.pick(Leaf.call()));
  }

  @Test
  void dropsCallsOverTheLimitUntilOneEnds() {
    leaf.give(limited("c", 2));
    leaf.connectAll();
    begin(leaf);
    ClientStreamTracer second = begin(leaf);
    PickResult third = leaf.channel.pick(Leaf.call());
    assertThat(third.isDrop()).isTrue();
    assertThat(third.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(third.getStatus().getDescription())
        .isEqualTo(
            "cluster c: 2 calls under way (expected: at most 2, the max_requests of its circuit"
                + " breakers)");
    second.streamClosed(Status.CANCELLED);
    assertThat(leaf.channel.port(Leaf.call())).isEqualTo(1);
  }

  @Test
  void countsWhatItDrops() {
    leaf.give(limited("c", 0));
    leaf.connectAll();
    leaf.channel.pick(Leaf.call());
    assertThat(leaf.channel.counted())
        .containsExactly(List.of("xds:///fake", "c", "circuit_breaker"));
  }

  @Test
  void callsOfAllChannelsCountTogether() {
    Leaf other = new Leaf(breakers);
    leaf.give(limited("c", 1));
    leaf.connectAll();
    other.give(limited("c", 1));
    other.connectAll();
    begin(leaf);
    assertThat(other.channel.pick(Leaf.call()).isDrop()).isTrue();
  }

  @Test
  void callsOfOtherClustersDoNot() {
    Leaf other = new Leaf(breakers);
    leaf.give(limited("c", 1));
    leaf.connectAll();
    other.give(limited("d", 1));
    other.connectAll();
    begin(leaf);
    assertThat(other.channel.pick(Leaf.call()).isDrop()).isFalse();
  }

  @Test
  void anotherLimitReachesNothingBelow() {
    leaf.give(limited("c", 1));
    leaf.connectAll();
    begin(leaf);
    leaf.give(limited("c", 2));
    assertThat(leaf.channel.port(Leaf.call())).isEqualTo(1);
    assertThat(leaf.channel.subchannels()).hasSize(1);
    assertThat(leaf.channel.subchannel(1).updates()).isZero();
  }

  @Test
  void callsThatWaitAreNotDropped() {
    leaf.give(limited("c", 0));
    assertThat(leaf.channel.pick(Leaf.call()).hasResult()).isFalse();
  }

  @Test
  void whoeverTracedTheCallBeforeStillDoes() {
    leaf.give(
        leaf(
            Clusters.cluster(
                "c", new LbPolicy.WrrLocality(new LbPolicy.LeastRequest(10)), 1024, null),
            assignment(1, 2)));
    leaf.connectAll();
    PickResult first = leaf.channel.pick(Leaf.call());
    ClientStreamTracer tracer = FakeCall.begin(first);
    for (int i = 0; i < 100; i++) {
      assertThat(leaf.channel.pick(Leaf.call()).getSubchannel()).isNotSameAs(first.getSubchannel());
    }
    assertThat(breakers.callsOf("c", "c-eds").count()).isEqualTo(1);
    tracer.streamClosed(Status.OK);
    assertThat(breakers.callsOf("c", "c-eds").count()).isZero();
  }

  @Test
  void theCountOfAClusterIsOneObjectWhileSomebodyHoldsIt() {
    Outstanding calls = breakers.callsOf("c", "s");
    assertThat(breakers.callsOf("c", "s")).isSameAs(calls);
    assertThat(breakers.callsOf("c", "other")).isNotSameAs(calls);
  }
}
