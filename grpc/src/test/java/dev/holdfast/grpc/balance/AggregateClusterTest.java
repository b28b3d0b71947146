// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import static dev.holdfast.grpc.balance.kit.Clusters.aggregate;
import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.withNote;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Aggregate clusters (gRFC A37, A75): the leaves are priorities, each with its own policy. */
class AggregateClusterTest {
  private final Root root = new Root();
  private final FakeChannel channel = root.channel;

  @BeforeEach
  void twoLeaves() {
    root.with(aggregate("agg", "a", "b"))
        .with(withNote(leaf(cluster("a"), assignment(1)), "note of a"))
        .with(withNote(leaf(cluster("b"), assignment(2)), "note of b"))
        .routedTo("agg")
        .give();
  }

  @Test
  void usesTheFirstLeafThatCanBeReached() {
    channel.subchannel(1).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(1);
    assertThat(channel.subchannels()).hasSize(1);
  }

  @Test
  void failsOverToTheNextLeafAndBack() {
    channel.subchannel(1).fail("down");
    channel.subchannel(2).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(2);
    channel.subchannel(1).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(1);
  }

  @Test
  void failsOverFromALeafThatDoesNotConnectInTime() {
    channel.subchannel(1).connecting();
    channel.advance(Duration.ofSeconds(10));
    channel.subchannel(2).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(2);
  }

  @Test
  void failsOverFromALeafThatIsInError() {
    root.with("a", Status.NOT_FOUND.withDescription("CDS a: does not exist")).give();
    channel.subchannel(2).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(2);
  }

  @Test
  void failsOverFromALeafWithoutEndpoints() {
    root.with(leaf(cluster("a"), Status.NOT_FOUND)).give();
    channel.subchannel(2).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(2);
  }

  @Test
  void failsWithTheErrorAndTheNoteOfTheLastLeaf() {
    channel.subchannel(1).fail("refused by a");
    channel.subchannel(2).fail("refused by b");
    assertThat(channel.error(FakeCall.to("agg")).getDescription())
        .isEqualTo("refused by b (note of b)");
  }

  @Test
  void eachLeafHasItsOwnPolicy() {
    root.with(leaf(cluster("a", new LbPolicy.RingHash(16, 16)), assignment(7))).give();
    // A ring connects when there is a call, and so is idle: good enough to be chosen.
    assertThat(channel.pick(FakeCall.to("agg")).hasResult()).isFalse();
    channel.subchannel(7).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(7);
  }

  @Test
  void anotherVersionOfALeafReachesThatLeafOnly() {
    channel.subchannel(1).fail("down");
    channel.subchannel(2).ready();
    root.with(leaf(cluster("a"), assignment(1, 3))).give();
    assertThat(channel.subchannel(3).requests()).isEqualTo(1);
    assertThat(channel.subchannel(2).updates()).isZero();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(2);
  }

  @Test
  void leavesThatNoRouteNamesHaveNoConnectionsOfTheirOwn() {
    assertThat(channel.subchannels()).hasSize(1);
    channel.pick(FakeCall.to("b"));
    assertThat(channel.subchannels()).hasSize(2);
    channel.subchannel(2).ready();
    assertThat(channel.port(FakeCall.to("b"))).isEqualTo(2);
  }

  @Test
  void leavesThatARouteNamesDo() {
    root.routedTo("agg", "b").give();
    assertThat(channel.subchannels()).extracting(FakeSubchannel::port).containsExactly(1, 2);
  }

  @Test
  void anotherOrderOfTheLeavesMovesNoConnections() {
    channel.subchannel(1).fail("down");
    channel.subchannel(2).ready();
    root.with(aggregate("agg", "b", "a")).give();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(2);
    assertThat(channel.subchannels()).hasSize(2).noneMatch(FakeSubchannel::isShutDown);
  }

  @Test
  void anAggregateBecomesAPlainClusterWithoutAGap() {
    channel.subchannel(1).ready();
    root.with(leaf(cluster("agg"), assignment(9))).without("a").without("b").give();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(1);
    channel.subchannel(9).ready();
    assertThat(channel.port(FakeCall.to("agg"))).isEqualTo(9);
    assertThat(channel.subchannel(1).isShutDown()).isTrue();
  }

  @Test
  void anAggregateOfNothingFails() {
    root.with(aggregate("agg")).give();
    assertThat(channel.error(FakeCall.to("agg")).getDescription())
        .isEqualTo("cluster agg: an aggregate of no clusters (node test-node)");
  }

  @Test
  void aLeafThatIsMissingFailsAsOne() {
    root.with(aggregate("agg", "x")).give();
    assertThat(channel.error(FakeCall.to("agg")).getDescription())
        .isEqualTo("cluster x: not known");
  }
}
