// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakePolicy;
import io.grpc.LoadBalancer.FixedResultPicker;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WeightedBalancerTest {
  private static final int PICKS = 20_000;

  private final FakeChannel channel = new FakeChannel();
  private final FakePolicy policy = new FakePolicy(channel);
  private final Random random = new Random(42);
  private final WeightedBalancer balancer = new WeightedBalancer(channel, () -> random);

  private void give(Map<String, Long> weights) {
    List<WeightedConfig.Target> targets = new ArrayList<>();
    weights.forEach(
        (name, weight) ->
            targets.add(
                new WeightedConfig.Target(
                    name, weight, policy.named(name), Addresses.endpoints(name.charAt(0)))));
    channel.give(balancer, new WeightedConfig(targets), List.of());
  }

  /** Reports ready, with a picker whose answers tell by whom they were given. */
  private void ready(String name) {
    policy
        .get(name)
        .report(
            READY,
            new FixedResultPicker(PickResult.withDrop(Status.UNAVAILABLE.withDescription(name))));
  }

  private Map<String, Double> shares() {
    Map<String, Double> shares = new HashMap<>();
    for (int i = 0; i < PICKS; i++) {
      shares.merge(
          String.valueOf(channel.error(FakeCall.unrouted()).getDescription()),
          1.0 / PICKS,
          Double::sum);
    }
    return shares;
  }

  @Test
  void spreadsCallsByWeight() {
    give(Map.of("a", 1L, "b", 3L, "c", 6L));
    ready("a");
    ready("b");
    ready("c");
    Map<String, Double> shares = shares();
    assertThat(shares.get("a")).isCloseTo(0.1, within(0.01));
    assertThat(shares.get("b")).isCloseTo(0.3, within(0.015));
    assertThat(shares.get("c")).isCloseTo(0.6, within(0.015));
  }

  @Test
  void weightsMayBeAsLargeAsTheyCome() {
    give(Map.of("a", 0xFFFF_FFFEL, "b", 1L));
    ready("a");
    ready("b");
    assertThat(shares()).containsOnlyKeys("a");
  }

  @Test
  void onlyThoseThatAreReadyGetCalls() {
    give(Map.of("a", 1L, "b", 100L, "c", 100L));
    ready("a");
    policy.get("b").fail("gone");
    policy.get("c").connecting();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(shares()).containsOnlyKeys("a");
  }

  @Test
  void callsWaitWhileOneConnects() {
    give(Map.of("a", 1L, "b", 1L));
    policy.get("a").fail("gone");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(channel.pick(FakeCall.unrouted()).hasResult()).isFalse();
  }

  @Test
  void failsAsItsChildrenByWeightWhenAllHaveFailed() {
    give(Map.of("a", 1L, "b", 9L));
    policy.get("a").fail("reason a");
    policy.get("b").fail("reason b");
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(shares().get("reason b")).isCloseTo(0.9, within(0.01));
  }

  @Test
  void tellsAnIdleChildToConnectEvenIfOthersServe() {
    give(Map.of("a", 1L, "b", 1L));
    ready("a");
    policy.get("b").idle();
    assertThat(policy.get("b").requests()).isEqualTo(1);
  }

  @Test
  void anotherWeightIsNoNewsForTheChild() {
    give(Map.of("a", 1L, "b", 1L));
    ready("a");
    ready("b");
    give(Map.of("a", 9L, "b", 1L));
    assertThat(policy.get("a").accepted()).hasSize(1);
    assertThat(shares().get("a")).isCloseTo(0.9, within(0.01));
  }

  @Test
  void shutsDownTheOneThatIsGone() {
    give(Map.of("a", 1L, "b", 1L));
    ready("a");
    ready("b");
    FakePolicy.Balancer removed = policy.get("b");
    give(Map.of("a", 1L));
    assertThat(removed.isShutDown()).isTrue();
    assertThat(shares()).containsOnlyKeys("a");
  }

  @Test
  void reportsOncePerConfiguration() {
    give(Map.of("a", 1L, "b", 1L, "c", 1L));
    assertThat(channel.states()).containsExactly(CONNECTING);
  }

  @Test
  void isSilentAfterItWasShutDown() {
    give(Map.of("a", 1L));
    FakePolicy.Balancer child = policy.get("a");
    channel.run(balancer::shutdown);
    int reports = channel.reports();
    child.fail("too late");
    assertThat(channel.reports()).isEqualTo(reports);
    assertThat(child.isShutDown()).isTrue();
  }
}
