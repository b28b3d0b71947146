// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import io.grpc.ClientStreamTracer;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.Status;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeastRequestBalancerTest {
  private final FakeChannel channel = new FakeChannel();
  private final Random random = new Random(7);
  private final LeastRequestBalancer balancer = new LeastRequestBalancer(channel, () -> random);

  private void give(int choices, int... ports) {
    channel.give(balancer, new LeastRequestBalancer.Config(choices), Addresses.endpoints(ports));
  }

  private ClientStreamTracer beginAt(int port) {
    while (true) {
      PickResult result = channel.pick(FakeCall.unrouted());
      ClientStreamTracer tracer = FakeCall.begin(result);
      if (result.getSubchannel() == channel.subchannel(port)) {
        return tracer;
      }
      tracer.streamClosed(Status.OK);
    }
  }

  @Test
  void callsWaitUntilOneIsConnected() {
    give(2, 1, 2);
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(channel.pick(FakeCall.unrouted()).hasResult()).isFalse();
    channel.subchannel(1).ready();
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.port(FakeCall.unrouted())).isEqualTo(1);
  }

  @Test
  void prefersTheOneWithFewerCalls() {
    give(10, 1, 2);
    channel.subchannel(1).ready();
    channel.subchannel(2).ready();
    ClientStreamTracer busy = beginAt(1);
    for (int i = 0; i < 200; i++) {
      // Ten draws of two find the one that is not busy, but for one in a thousand.
      assertThat(channel.port(FakeCall.unrouted())).isEqualTo(2);
    }
    busy.streamClosed(Status.OK);
    assertThat(portsOf(200)).contains(1, 2);
  }

  private Set<Integer> portsOf(int picks) {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < picks; i++) {
      ports.add(channel.port(FakeCall.unrouted()));
    }
    return ports;
  }

  @Test
  void sharesCallsEvenlyWhileAllAreUnderWay() {
    give(2, 1, 2, 3, 4);
    int[] counts = new int[5];
    for (int port = 1; port <= 4; port++) {
      channel.subchannel(port).ready();
    }
    for (int i = 0; i < 4_000; i++) {
      PickResult result = channel.pick(FakeCall.unrouted());
      counts[channel.port(FakeCall.unrouted())]++;
      FakeCall.begin(result);
    }
    for (int port = 1; port <= 4; port++) {
      assertThat(counts[port]).isBetween(900, 1_100);
    }
  }

  @Test
  void countsLiveAsLongAsTheEndpoint() {
    give(10, 1, 2);
    channel.subchannel(1).ready();
    channel.subchannel(2).ready();
    ClientStreamTracer busy = beginAt(1);
    give(10, 1, 2, 3);
    for (int i = 0; i < 100; i++) {
      assertThat(channel.port(FakeCall.unrouted())).isEqualTo(2);
    }
    busy.streamClosed(Status.OK);
  }

  @Test
  void aPickWithoutAStreamIsNotCounted() {
    give(10, 1, 2);
    channel.subchannel(1).ready();
    channel.subchannel(2).ready();
    for (int i = 0; i < 50; i++) {
      channel.pick(FakeCall.unrouted());
    }
    assertThat(portsOf(100)).contains(1, 2);
  }

  @Test
  void failsWhenAllHaveFailed() {
    give(2, 1, 2);
    channel.subchannel(1).fail("one");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    channel.subchannel(2).fail("two");
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(channel.error(FakeCall.unrouted()).getDescription()).isIn("one", "two");
  }

  @Test
  void connectsAgainWhenAConnectionIsLost() {
    give(2, 1, 2);
    channel.subchannel(1).ready();
    int before = channel.subchannel(1).requests();
    channel.subchannel(1).idle();
    assertThat(channel.subchannel(1).requests()).isGreaterThan(before);
    assertThat(channel.state()).isEqualTo(CONNECTING);
  }
}
