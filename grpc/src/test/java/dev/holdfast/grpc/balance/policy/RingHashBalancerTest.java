// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.grpc.hash.XxHash64;
import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RingHashBalancerTest {
  private final FakeChannel channel = new FakeChannel();
  private final RingHashBalancer balancer = new RingHashBalancer(channel);

  @BeforeEach
  void threeEndpoints() {
    give(Addresses.endpoints(1, 2, 3));
  }

  private void give(List<EquivalentAddressGroup> endpoints) {
    channel.give(balancer, new RingHashBalancer.Config(300, 4096), endpoints);
  }

  /** A call that falls to the endpoint of the port. */
  private static FakeCall callFor(int port) {
    return FakeCall.withHash(XxHash64.hash("127.0.0.1:" + port + "_0"));
  }

  private FakeSubchannel connect(int port) {
    channel.pick(callFor(port));
    return channel.subchannel(port);
  }

  @Test
  void isIdleAndConnectsNothingUntilThereIsACall() {
    assertThat(channel.state()).isEqualTo(IDLE);
    assertThat(channel.subchannels()).isEmpty();
  }

  @Test
  void connectsTheEndpointThatACallFallsTo() {
    assertThat(channel.pick(callFor(2)).hasResult()).isFalse();
    assertThat(channel.subchannels()).hasSize(1);
    assertThat(channel.subchannel(2).requests()).isEqualTo(1);
    assertThat(channel.state()).isEqualTo(CONNECTING);
    channel.pick(callFor(2));
    assertThat(channel.subchannels()).hasSize(1);
    channel.subchannel(2).ready();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.port(callFor(2))).isEqualTo(2);
  }

  private static EquivalentAddressGroup withKey(int port, String key) {
    return new EquivalentAddressGroup(
        Addresses.address(port),
        Attributes.newBuilder().set(RingHashBalancer.HASH_KEY, key).build());
  }

  @Test
  void l31EndpointsWithAHashKeyKeepTheirPlacesWhateverTheirAddress() {
    FakeCall call = FakeCall.withHash(XxHash64.hash("pod-1_7"));
    give(List.of(withKey(11, "pod-0"), withKey(12, "pod-1"), withKey(13, "pod-2")));
    channel.pick(call);
    channel.subchannel(12).ready();
    assertThat(channel.port(call)).isEqualTo(12);
    give(List.of(withKey(21, "pod-2"), withKey(22, "pod-1"), withKey(23, "pod-0")));
    channel.pick(call);
    channel.subchannel(22).ready();
    assertThat(channel.port(call)).isEqualTo(22);
  }

  @Test
  void callsOfOtherEndpointsWaitForTheirOwn() {
    connect(2).ready();
    assertThat(channel.pick(callFor(1)).hasResult()).isFalse();
    assertThat(channel.subchannel(1).requests()).isEqualTo(1);
  }

  @Test
  void passesOverOneThatHasFailed() {
    connect(1).fail("gone");
    for (int port : new int[] {2, 3}) {
      connect(port).ready();
    }
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.port(callFor(1))).isIn(2, 3);
    assertThat(channel.port(callFor(2))).isEqualTo(2);
    assertThat(channel.port(callFor(3))).isEqualTo(3);
  }

  @Test
  void oneFailureOfSeveralIsNoFailureAndTriesAnother() {
    connect(1).fail("gone");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(channel.subchannels()).hasSize(2);
  }

  @Test
  void twoFailuresAreOne() {
    connect(1).fail("one");
    FakeSubchannel second = channel.subchannels().get(1);
    second.fail("two");
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    // The third one is tried without a call, so that there is a way back.
    assertThat(channel.subchannels()).hasSize(3);
    channel.subchannels().get(2).ready();
    assertThat(channel.state()).isEqualTo(READY);
  }

  @Test
  void saysWhatIsWrongWithTheEndpointOfTheCallWhenAllHaveFailed() {
    for (int port = 1; port <= 3; port++) {
      connectAnyway(port).fail("reason " + port);
    }
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(channel.error(callFor(1)).getDescription()).isEqualTo("reason 1");
    assertThat(channel.error(callFor(3)).getDescription()).isEqualTo("reason 3");
  }

  private FakeSubchannel connectAnyway(int port) {
    channel.pick(callFor(port));
    for (FakeSubchannel subchannel : channel.subchannels()) {
      if (subchannel.port() == port) {
        return subchannel;
      }
    }
    throw new AssertionError("not connected: " + port);
  }

  @Test
  void aLostConnectionIsMadeAgainByACall() {
    FakeSubchannel subchannel = connect(2);
    subchannel.ready();
    subchannel.idle();
    assertThat(channel.state()).isEqualTo(IDLE);
    int before = subchannel.requests();
    channel.pick(callFor(2));
    assertThat(subchannel.requests()).isEqualTo(before + 1);
  }

  @Test
  void aRequestToConnectConnectsOne() {
    channel.run(balancer::requestConnection);
    assertThat(channel.subchannels()).hasSize(1);
    channel.run(balancer::requestConnection);
    assertThat(channel.subchannels()).hasSize(1);
  }

  @Test
  void keepsConnectionsWhenEndpointsComeAndGo() {
    connect(2).ready();
    FakeSubchannel kept = channel.subchannel(2);
    FakeSubchannel removed = connect(1);
    give(Addresses.endpoints(2, 4));
    assertThat(kept.isShutDown()).isFalse();
    assertThat(removed.isShutDown()).isTrue();
    assertThat(channel.port(callFor(2))).isEqualTo(2);
    assertThat(channel.pick(callFor(4)).hasResult()).isFalse();
    assertThat(channel.subchannel(4).requests()).isEqualTo(1);
  }

  @Test
  void anEndpointThatIsListedTwiceIsOne() {
    give(List.of(Addresses.weighted(1, 1), Addresses.weighted(2, 2), Addresses.weighted(1, 1)));
    connect(1).ready();
    assertThat(channel.port(callFor(1))).isEqualTo(1);
    assertThat(channel.subchannels()).hasSize(1);
  }

  @Test
  void theFirstAddressOfAnEndpointIsItsKey() {
    give(List.of(Addresses.endpoint(1, 8), Addresses.endpoint(2, 9)));
    connect(2).ready();
    assertThat(channel.port(callFor(2))).isEqualTo(2);
    assertThat(channel.subchannel(2).getAllAddresses()).containsExactly(Addresses.endpoint(2, 9));
  }

  @Test
  void aServerCannotMakeTheRingLargerThanTheClientAllows() {
    assertThat(new RingHashBalancer.Config(1 << 20, 1 << 23))
        .isEqualTo(new RingHashBalancer.Config(4096, 4096));
  }

  @Test
  void aCallWithoutAHashFails() {
    assertThat(channel.error(FakeCall.unrouted()).getDescription())
        .isEqualTo("ring_hash: the call has no hash (expected: a call that was routed by xDS)");
  }
}
