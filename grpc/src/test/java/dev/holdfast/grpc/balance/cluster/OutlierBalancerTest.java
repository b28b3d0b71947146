// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Outlier detection in the tree of a cluster, with endpoints of one address and of several. The
 * intervals are on the manual clock; how long an endpoint stays out is on gRPC's own, and is as
 * short as can be.
 */
class OutlierBalancerTest {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final OutlierDetection DETECTION =
      new OutlierDetection(
          INTERVAL,
          Duration.ofNanos(1),
          Duration.ofNanos(1),
          50,
          null,
          new OutlierDetection.FailurePercentage(50, 100, 1, 5));

  private final Leaf leaf = new Leaf();

  private static ClusterConfig config(LbPolicy policy, ClusterLoadAssignment assignment) {
    return leaf(cluster("c", policy, 1024, DETECTION), assignment);
  }

  private static ClusterConfig config(ClusterLoadAssignment assignment) {
    return config(LbPolicy.DEFAULT, assignment);
  }

  private static ClusterLoadAssignment endpoints(Endpoint... endpoints) {
    return assignment(new LocalityEndpoints(new Locality("r", "z", ""), 0, 1, List.of(endpoints)));
  }

  /** Makes some calls; those to the given port fail. Returns where they went. */
  private Set<Integer> call(int failing) {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      PickResult result = leaf.channel.pick(Leaf.call());
      Subchannel subchannel = Objects.requireNonNull(result.getSubchannel());
      int port = ((FakeSubchannel) subchannel.getInternalSubchannel()).port();
      FakeCall.begin(result).streamClosed(port == failing ? Status.INTERNAL : Status.OK);
      ports.add(port);
    }
    return ports;
  }

  @Test
  void anEndpointThatFailsTooOftenIsLeftOutForAWhile() {
    leaf.give(config(assignment(1, 2)));
    leaf.connectAll();
    assertThat(call(1)).containsExactlyInAnyOrder(1, 2);
    leaf.channel.advance(INTERVAL);
    assertThat(call(-1)).containsExactly(2);
    leaf.channel.advance(INTERVAL);
    assertThat(call(-1)).containsExactlyInAnyOrder(1, 2);
    assertThat(leaf.channel.subchannels()).hasSize(2);
  }

  @Test
  void addressesOfAnEndpointAreTriedOneAfterTheOther() {
    leaf.give(config(endpoints(Clusters.endpoint(1, 2), Clusters.endpoint(3))));
    assertThat(leaf.channel.subchannels())
        .extracting(FakeSubchannel::port)
        .containsExactlyInAnyOrder(1, 3);
    leaf.channel.subchannel(1).fail("no route");
    leaf.channel.subchannel(2).ready();
    leaf.channel.subchannel(3).ready();
    assertThat(call(-1)).containsExactlyInAnyOrder(2, 3);
    assertThat(leaf.channel.subchannel(1).isShutDown()).isTrue();
  }

  @Test
  void anEndpointWithSeveralAddressesIsFollowedToo() {
    leaf.give(config(endpoints(Clusters.endpoint(1, 2), Clusters.endpoint(3))));
    leaf.channel.subchannel(1).ready();
    leaf.channel.subchannel(3).ready();
    assertThat(call(1)).containsExactlyInAnyOrder(1, 3);
    leaf.channel.advance(INTERVAL);
    // Its other address is no way around: it is the endpoint that is out.
    assertThat(call(-1)).containsExactly(3);
    leaf.channel.advance(INTERVAL);
    assertThat(call(-1)).containsExactlyInAnyOrder(1, 3);
  }

  @Test
  void aSearchThatEndsInVainIsAFailureUntilOneConnects() {
    leaf.give(config(endpoints(Clusters.endpoint(1, 2))));
    leaf.channel.subchannel(1).fail("one");
    leaf.channel.subchannel(2).fail("two");
    assertThat(leaf.channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(leaf.channel.error(Leaf.call()).getDescription()).isEqualTo("two (node test-node)");
    leaf.channel.subchannel(1).connecting();
    leaf.channel.subchannel(1).ready();
    assertThat(leaf.channel.state()).isEqualTo(READY);
    assertThat(call(-1)).containsExactly(1);
  }

  @Test
  void aLostConnectionIsSearchedForFromTheFirstAddress() {
    leaf.give(config(endpoints(Clusters.endpoint(1, 2))));
    leaf.channel.subchannel(1).fail("no route");
    leaf.channel.subchannel(2).ready();
    int before = leaf.channel.subchannels().size();
    leaf.channel.subchannel(2).idle();
    assertThat(leaf.channel.subchannels()).hasSize(before + 1);
    leaf.channel.subchannel(1).ready();
    assertThat(call(-1)).containsExactly(1);
    assertThat(leaf.channel.subchannels().get(1).isShutDown()).isTrue();
  }

  @Test
  void pickFirstOverManyEndpointsMovesOnFromOneThatIsOut() {
    leaf.give(config(new LbPolicy.PickFirst(false), assignment(1, 2)));
    leaf.channel.subchannel(1).ready();
    assertThat(call(1)).containsExactly(1);
    leaf.channel.advance(INTERVAL);
    leaf.channel.subchannel(2).ready();
    assertThat(call(-1)).containsExactly(2);
  }

  @Test
  void pickFirstKeepsItsConnectionWhenOtherEndpointsChange() {
    leaf.give(config(new LbPolicy.PickFirst(false), assignment(1, 2)));
    leaf.channel.subchannel(1).ready();
    leaf.give(config(new LbPolicy.PickFirst(false), assignment(5, 1)));
    assertThat(call(-1)).containsExactly(1);
    assertThat(leaf.channel.subchannels()).hasSize(1);
    leaf.give(config(new LbPolicy.PickFirst(false), assignment(5)));
    assertThat(leaf.channel.state()).isEqualTo(IDLE);
    assertThat(leaf.channel.subchannel(1).isShutDown()).isTrue();
    leaf.channel.run(leaf.balancer::requestConnection);
    leaf.channel.subchannel(5).ready();
    assertThat(call(-1)).containsExactly(5);
  }

  @Test
  void anEndpointThatIsOutMayMoveToAnotherLocality() {
    leaf.give(config(assignment(Clusters.locality("a", 0, 1), Clusters.locality("b", 0, 2))));
    leaf.connectAll();
    call(1);
    leaf.channel.advance(INTERVAL);
    leaf.give(config(assignment(Clusters.locality("b", 0, 1, 2))));
    leaf.channel.subchannel(1).ready();
    assertThat(call(-1)).containsExactly(2);
    leaf.channel.advance(INTERVAL);
    assertThat(call(-1)).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void anEndpointThatIsOutHoldsUpNobody() {
    leaf.give(config(assignment(Clusters.locality("a", 0, 1), Clusters.locality("b", 0, 2))));
    leaf.connectAll();
    call(1);
    leaf.channel.advance(INTERVAL);
    leaf.give(config(assignment(Clusters.locality("c", 0, 1), Clusters.locality("b", 1, 2))));
    assertThat(call(-1)).containsExactly(2);
    // That of the detection. The better priority has failed, and is not waited for.
    assertThat(leaf.channel.timers()).hasSize(1);
  }

  @Test
  void whatWasCountedSurvivesAChangeThatIsNotAboutEndpoints() {
    leaf.give(config(assignment(1, 2)));
    leaf.connectAll();
    call(1);
    leaf.give(leaf(cluster("c", LbPolicy.DEFAULT, 99, DETECTION), assignment(1, 2)));
    leaf.channel.advance(INTERVAL);
    assertThat(call(-1)).containsExactly(2);
  }

  @Test
  void callsAreNoLongerWatchedAfterItWasShutDown() {
    leaf.give(config(assignment(1, 2)));
    leaf.connectAll();
    leaf.channel.run(leaf.balancer::shutdown);
    assertThat(leaf.channel.timers()).isEmpty();
    assertThat(leaf.channel.subchannels()).allMatch(FakeSubchannel::isShutDown);
  }

  @Test
  void aDetectionThatWouldEjectNothingIsNotThere() {
    OutlierDetection idle = new OutlierDetection(INTERVAL, INTERVAL, INTERVAL, 10, null, null);
    leaf.give(leaf(cluster("c", LbPolicy.DEFAULT, 1024, idle), assignment(1)));
    leaf.connectAll();
    assertThat(leaf.channel.timers()).isEmpty();
    assertThat(leaf.channel.port(Leaf.call())).isEqualTo(1);
  }
}
