// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakePolicy;
import io.grpc.LoadBalancer.SubchannelPicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state machine of gRFC A56, step by step. */
class PriorityBalancerTest {
  private static final Duration FAILOVER = Duration.ofSeconds(10);
  private static final Duration RETENTION = Duration.ofMinutes(15);

  private final FakeChannel channel = new FakeChannel();
  private final FakePolicy policy = new FakePolicy(channel);
  private final PriorityBalancer balancer = new PriorityBalancer(channel);

  private void give(String... names) {
    List<PriorityConfig.Child> children = new ArrayList<>();
    for (String name : names) {
      children.add(
          new PriorityConfig.Child(name, policy.named(name), Addresses.endpoints(name.charAt(0))));
    }
    channel.give(balancer, new PriorityConfig(children), List.of());
  }

  @Test
  void beginsWithTheFirstAndCreatesNoOther() {
    give("a", "b");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(policy.has("a")).isTrue();
    assertThat(policy.has("b")).isFalse();
    assertThat(policy.get("a").accepted()).containsExactly(Addresses.endpoints('a'));
  }

  @Test
  void usesTheFirstWhenItIsReady() {
    give("a", "b");
    SubchannelPicker picker = policy.get("a").ready();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.picker()).isSameAs(picker);
    assertThat(channel.timers()).isEmpty();
  }

  @Test
  void failsOverAtOnceWhenOneFails() {
    give("a", "b");
    policy.get("a").fail("gone");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    SubchannelPicker picker = policy.get("b").ready();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.picker()).isSameAs(picker);
  }

  @Test
  void failsOverAfterTenSecondsOfConnecting() {
    give("a", "b");
    policy.get("a").connecting();
    channel.advance(FAILOVER.minusNanos(1));
    assertThat(policy.has("b")).isFalse();
    channel.advance(Duration.ofNanos(1));
    assertThat(policy.has("b")).isTrue();
  }

  @Test
  void failsBackWhenTheBetterOneIsReady() {
    give("a", "b");
    policy.get("a").fail("gone");
    policy.get("b").ready();
    SubchannelPicker picker = policy.get("a").ready();
    assertThat(channel.picker()).isSameAs(picker);
    assertThat(channel.timers()).containsExactly(RETENTION);
    assertThat(policy.get("b").isShutDown()).isFalse();
  }

  @Test
  void failsBackWhenTheBetterOneIsIdle() {
    give("a", "b");
    policy.get("a").fail("gone");
    policy.get("b").ready();
    policy.get("a").idle();
    assertThat(channel.state()).isEqualTo(IDLE);
  }

  @Test
  void keepsTheOneThatIsNotNeededForFifteenMinutes() {
    give("a", "b");
    policy.get("a").fail("gone");
    FakePolicy.Balancer second = policy.get("b");
    second.ready();
    policy.get("a").ready();
    channel.advance(RETENTION.minusNanos(1));
    assertThat(second.isShutDown()).isFalse();
    channel.advance(Duration.ofNanos(1));
    assertThat(second.isShutDown()).isTrue();
    assertThat(channel.state()).isEqualTo(READY);
  }

  @Test
  void takesBackTheOneThatWasKept() {
    give("a", "b");
    policy.get("a").fail("gone");
    SubchannelPicker picker = policy.get("b").ready();
    policy.get("a").ready();
    channel.advance(Duration.ofMinutes(14));
    policy.get("a").fail("gone again");
    assertThat(channel.picker()).isSameAs(picker);
    assertThat(channel.timers()).isEmpty();
  }

  @Test
  void waitsAgainForOneThatLostItsConnections() {
    give("a", "b");
    policy.get("a").ready();
    policy.get("a").connecting();
    assertThat(channel.timers()).containsExactly(FAILOVER);
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(policy.has("b")).isFalse();
    channel.advance(FAILOVER);
    assertThat(policy.has("b")).isTrue();
  }

  @Test
  void doesNotWaitAgainForOneThatHasFailedSinceItWasReady() {
    give("a", "b");
    policy.get("a").ready();
    policy.get("a").fail("gone");
    policy.get("b").ready();
    policy.get("a").connecting();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.timers()).isEmpty();
  }

  @Test
  void waitsForOneThatLostItsConnectionsWhileItWasKept() {
    give("a", "b", "c");
    policy.get("a").fail("gone");
    policy.get("b").ready();
    policy.get("a").ready();
    policy.get("b").connecting();
    policy.get("a").fail("gone again");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(policy.has("c")).isFalse();
    assertThat(channel.timers()).containsExactly(FAILOVER);
  }

  @Test
  void waitsForTheFirstThatStillTriesWhenNoneIsLeft() {
    give("a", "b");
    policy.get("a").connecting();
    channel.advance(FAILOVER);
    policy.get("b").fail("no route");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    policy.get("a").fail("refused");
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
  }

  @Test
  void failsAsTheLastOneWhenAllHaveFailed() {
    give("a", "b");
    policy.get("a").fail("first reason");
    policy.get("b").fail("last reason");
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(channel.error(FakeCall.unrouted()).getDescription()).isEqualTo("last reason");
  }

  @Test
  void aNewBetterOneDoesNotInterruptTheOneThatServes() {
    give("b");
    SubchannelPicker serving = policy.get("b").ready();
    give("a", "b");
    assertThat(policy.has("a")).isTrue();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.picker()).isSameAs(serving);
    policy.get("a").connecting();
    assertThat(channel.picker()).isSameAs(serving);
    SubchannelPicker better = policy.get("a").ready();
    assertThat(channel.picker()).isSameAs(better);
  }

  @Test
  void aNewBetterOneThatFailsChangesNothing() {
    give("b");
    SubchannelPicker serving = policy.get("b").ready();
    give("a", "b");
    policy.get("a").fail("unreachable");
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.picker()).isSameAs(serving);
    assertThat(channel.states()).doesNotContain(TRANSIENT_FAILURE);
  }

  @Test
  void shutsDownTheOneThatTheConfigurationNoLongerHas() {
    give("a", "b");
    FakePolicy.Balancer removed = policy.get("a");
    removed.ready();
    give("b");
    assertThat(removed.isShutDown()).isTrue();
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(channel.timers()).containsExactly(FAILOVER);
  }

  @Test
  void tellsOnlyThoseThatHaveChanged() {
    give("a", "b");
    policy.get("a").fail("gone");
    policy.get("b").ready();
    channel.give(
        balancer,
        new PriorityConfig(
            List.of(
                new PriorityConfig.Child("a", policy.named("a"), Addresses.endpoints('a')),
                new PriorityConfig.Child("b", policy.named("b"), Addresses.endpoints('b', 'c')))),
        List.of());
    assertThat(policy.get("a").accepted()).hasSize(1);
    assertThat(policy.get("b").accepted()).hasSize(2);
  }

  @Test
  void changesOfOrderMoveNoConnections() {
    give("a", "b");
    policy.get("a").fail("gone");
    SubchannelPicker picker = policy.get("b").ready();
    give("b", "a");
    assertThat(channel.picker()).isSameAs(picker);
    assertThat(policy.get("b").accepted()).hasSize(1);
  }

  @Test
  void passesRequestsToConnectToTheOneInUse() {
    give("a", "b");
    policy.get("a").idle();
    channel.run(balancer::requestConnection);
    assertThat(policy.get("a").requests()).isEqualTo(1);
  }

  @Test
  void leavesNothingBehindWhenShutDown() {
    give("a", "b");
    policy.get("a").connecting();
    channel.advance(FAILOVER);
    policy.get("a").ready();
    channel.run(balancer::shutdown);
    assertThat(policy.get("a").isShutDown()).isTrue();
    assertThat(policy.get("b").isShutDown()).isTrue();
    assertThat(channel.timers()).isEmpty();
    int reports = channel.reports();
    policy.get("a").fail("too late");
    assertThat(channel.reports()).isEqualTo(reports);
  }

  @Test
  void namesAreNotGivenTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> give("a", "a"))
        .withMessage("priority: a (expected: each name once)");
  }
}
