// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import io.grpc.LoadBalancer.ResolvedAddresses;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.LoadBalancerRegistry;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterManagerTest {
  private final Root root = new Root();
  private final FakeChannel channel = root.channel;

  @Test
  void isFoundByTheNameThatServiceConfigsUse() {
    assertThat(LoadBalancerRegistry.getDefaultRegistry().getProvider("holdfast_cluster_manager"))
        .isInstanceOf(ClusterManagerProvider.class);
  }

  @Test
  void aCallGoesToTheClusterThatItWasRoutedTo() {
    root.with(leaf(cluster("a"), assignment(1))).with(leaf(cluster("b"), assignment(2))).give();
    channel.subchannel(1).ready();
    channel.subchannel(2).ready();
    assertThat(channel.port(FakeCall.to("a"))).isEqualTo(1);
    assertThat(channel.port(FakeCall.to("b"))).isEqualTo(2);
  }

  @Test
  void aClusterThatIsNotReadyHoldsUpItsOwnCallsOnly() {
    root.with(leaf(cluster("a"), assignment(1))).with(leaf(cluster("b"), assignment(2))).give();
    channel.subchannel(1).ready();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.port(FakeCall.to("a"))).isEqualTo(1);
    assertThat(channel.pick(FakeCall.to("b")).hasResult()).isFalse();
  }

  @Test
  void aCallToAClusterThatIsNotThereFails() {
    root.with(leaf(cluster("a"), assignment(1))).give();
    Status status = channel.error(FakeCall.to("z"));
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo("cluster z: not known to this channel (expected: a cluster of its routes)");
  }

  @Test
  void aCallThatWasNotRoutedFails() {
    root.with(leaf(cluster("a"), assignment(1))).give();
    Status status = channel.error(FakeCall.unrouted());
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo("the call has no cluster (expected: a call that was routed by xDS)");
  }

  @Test
  void aClusterInErrorFailsItsOwnCallsOnly() {
    root.with(leaf(cluster("a"), assignment(1)))
        .with("b", Status.NOT_FOUND.withDescription("CDS b: does not exist, node n1"))
        .give();
    channel.subchannel(1).ready();
    Status status = channel.error(FakeCall.to("b"));
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).isEqualTo("CDS b: does not exist, node n1");
    assertThat(channel.port(FakeCall.to("a"))).isEqualTo(1);
  }

  @Test
  void anErrorTakesThePlaceOfAClusterAndTheOtherWayRound() {
    root.with(leaf(cluster("a"), assignment(1))).give();
    FakeSubchannel first = channel.subchannel(1);
    first.ready();
    root.with("a", Status.INTERNAL.withDescription("gone")).give();
    assertThat(first.isShutDown()).isTrue();
    assertThat(channel.error(FakeCall.to("a")).getDescription()).isEqualTo("gone");
    root.with(leaf(cluster("a"), assignment(1))).give();
    assertThat(channel.pick(FakeCall.to("a")).hasResult()).isFalse();
    channel.subchannel(1).ready();
    assertThat(channel.port(FakeCall.to("a"))).isEqualTo(1);
  }

  @Test
  void aClusterThatIsGoneIsShutDown() {
    root.with(leaf(cluster("a"), assignment(1))).with(leaf(cluster("b"), assignment(2))).give();
    channel.subchannel(1).ready();
    channel.subchannel(2).ready();
    root.without("b").give();
    assertThat(channel.subchannel(2).isShutDown()).isTrue();
    assertThat(channel.error(FakeCall.to("b")).getDescription()).startsWith("cluster b: not known");
    assertThat(channel.port(FakeCall.to("a"))).isEqualTo(1);
  }

  @Test
  void theChannelIsInTheBestStateOfItsClusters() {
    root.with(leaf(cluster("a"), assignment(1))).with(leaf(cluster("b"), assignment(2))).give();
    assertThat(channel.state()).isEqualTo(CONNECTING);
    channel.subchannel(1).fail("down");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    channel.subchannel(2).fail("down");
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    channel.subchannel(1).ready();
    assertThat(channel.state()).isEqualTo(READY);
    root.without("a").give();
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
  }

  @Test
  void anIdleClusterConnectsByACallOrWhenItIsTold() {
    root.with(leaf(cluster("a", new LbPolicy.RingHash(16, 16)), assignment(1)))
        .with(leaf(cluster("b", new LbPolicy.RingHash(16, 16)), assignment(2)))
        .give();
    assertThat(channel.state()).isEqualTo(IDLE);
    assertThat(channel.subchannels()).isEmpty();
    channel.pick(FakeCall.to("a"));
    assertThat(channel.subchannels()).hasSize(1);
    channel.run(root.manager::requestConnection);
    assertThat(channel.subchannels()).hasSize(2);
  }

  @Test
  void aPickerThatTheChannelHasAlreadyKnowsWhatIsNew() {
    root.with(leaf(cluster("a"), assignment(1))).give();
    SubchannelPicker picker = channel.picker();
    channel.subchannel(1).ready();
    assertThat(picker.pickSubchannel(FakeCall.to("a")).getSubchannel()).isNotNull();
  }

  @Test
  void oneConfigurationIsOneReport() {
    for (int i = 0; i < 20; i++) {
      root.with(leaf(cluster("c" + i), assignment(100 + i)));
    }
    root.give();
    assertThat(channel.states()).containsExactly(CONNECTING);
  }

  @Test
  void whatHappensTogetherIsOneReport() {
    root.with(leaf(cluster("a"), assignment(1))).with(leaf(cluster("b"), assignment(2))).give();
    int before = channel.reports();
    channel.run(
        () -> {
          channel.subchannel(1).ready();
          channel.subchannel(2).ready();
        });
    assertThat(channel.reports()).isEqualTo(before + 1);
    assertThat(channel.state()).isEqualTo(READY);
  }

  @Test
  void withoutAConfigurationCallsFail() {
    channel.run(
        () ->
            root.manager.acceptResolvedAddresses(
                ResolvedAddresses.newBuilder().setAddresses(List.of()).build()));
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(channel.error(FakeCall.to("a")).getDescription())
        .startsWith("holdfast_cluster_manager: no xDS configuration (expected: ");
  }

  @Test
  void anErrorOfTheResolverDoesNotEndWhatWorks() {
    root.with(leaf(cluster("a"), assignment(1))).give();
    channel.subchannel(1).ready();
    channel.run(() -> root.manager.handleNameResolutionError(Status.UNAVAILABLE));
    assertThat(channel.port(FakeCall.to("a"))).isEqualTo(1);
  }

  @Test
  void anErrorOfTheResolverIsWhatCallsSeeBeforeThereIsAConfiguration() {
    channel.run(
        () ->
            root.manager.handleNameResolutionError(
                Status.NOT_FOUND.withDescription("no bootstrap")));
    assertThat(channel.error(FakeCall.to("a")).getDescription()).isEqualTo("no bootstrap");
    assertThat(channel.error(FakeCall.to("a")).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void nothingIsLeftWhenItIsShutDown() {
    root.with(leaf(cluster("a"), assignment(1))).with(leaf(cluster("b"), assignment(2))).give();
    channel.subchannel(1).ready();
    int before = channel.reports();
    channel.run(root.manager::shutdown);
    assertThat(channel.subchannels()).allMatch(FakeSubchannel::isShutDown);
    assertThat(channel.timers()).isEmpty();
    assertThat(channel.reports()).isEqualTo(before);
  }
}
