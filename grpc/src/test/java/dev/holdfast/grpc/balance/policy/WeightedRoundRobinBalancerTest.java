// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import com.github.xds.service.orca.v3.OrcaLoadReportRequest;
import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeCalls;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import io.grpc.ClientStreamTracer;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WeightedRoundRobinBalancerTest {
  private static final Metadata.Key<byte[]> TRAILER =
      Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final FakeChannel channel = new FakeChannel();
  private final WeightedRoundRobinBalancer balancer =
      new WeightedRoundRobinBalancer(channel, new Random(3), channel::nanoTime, () -> "cluster");

  private void give(boolean outOfBand, int period, int... ports) {
    channel.give(
        balancer,
        new WeightedRoundRobinConfig(
            new LbPolicy.ClientSideWeightedRoundRobin(
                outOfBand,
                Duration.ofSeconds(period),
                Duration.ofSeconds(10),
                Duration.ofMinutes(3),
                Duration.ofSeconds(1),
                1,
                List.of())),
        Addresses.endpoints(ports));
  }

  private static OrcaLoadReport using(double cpu) {
    return OrcaLoadReport.newBuilder().setRpsFractional(100).setCpuUtilization(cpu).build();
  }

  /** Calls, each answered with the load of its endpoint: port 1 is half as busy as port 2. */
  private Map<Integer, Integer> calls(int count) {
    Map<Integer, Integer> shares = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      PickResult result = channel.pick(FakeCall.unrouted());
      ClientStreamTracer tracer = FakeCall.begin(result);
      int picked = portOf(result);
      Metadata trailers = new Metadata();
      trailers.put(TRAILER, using(picked == 1 ? 0.25 : 0.5).toByteArray());
      tracer.inboundTrailers(trailers);
      tracer.streamClosed(Status.OK);
      shares.merge(picked, 1, Integer::sum);
    }
    return shares;
  }

  private static int portOf(PickResult result) {
    return ((FakeSubchannel) Objects.requireNonNull(result.getSubchannel()).getInternalSubchannel())
        .port();
  }

  private Map<Integer, Integer> picks(int count) {
    Map<Integer, Integer> shares = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      shares.merge(channel.port(FakeCall.unrouted()), 1, Integer::sum);
    }
    return shares;
  }

  private void connect(int... ports) {
    for (int port : ports) {
      channel.subchannel(port).ready();
    }
  }

  @Test
  void callsWaitUntilOneIsConnected() {
    give(false, 10, 1, 2);
    assertThat(channel.state()).isEqualTo(CONNECTING);
    assertThat(channel.pick(FakeCall.unrouted()).hasResult()).isFalse();
    connect(1);
    assertThat(channel.state()).isEqualTo(READY);
    assertThat(channel.port(FakeCall.unrouted())).isEqualTo(1);
  }

  @Test
  void pickOfAnEndpointIsMadeOnceAndNotForEachCall() {
    give(false, 10, 1);
    connect(1);
    assertThat(channel.pick(FakeCall.unrouted())).isSameAs(channel.pick(FakeCall.unrouted()));
  }

  @Test
  void failsWhenAllHaveFailed() {
    give(false, 10, 1, 2);
    channel.subchannel(1).fail("one");
    assertThat(channel.state()).isEqualTo(CONNECTING);
    channel.subchannel(2).fail("two");
    assertThat(channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(channel.error(FakeCall.unrouted()).getDescription()).isIn("one", "two");
  }

  @Test
  void idleEndpointsAreConnectedAgain() {
    give(false, 10, 1);
    connect(1);
    int before = channel.subchannel(1).requests();
    channel.subchannel(1).idle();
    assertThat(channel.subchannel(1).requests()).isGreaterThan(before);
  }

  @Test
  void l23SharesAreEvenUntilTheBlackoutIsOverAndThenByWeight() {
    give(false, 10, 1, 2);
    connect(1, 2);
    assertThat(calls(200).get(1)).isCloseTo(100, Offset.offset(1));
    channel.advance(Duration.ofSeconds(9));
    assertThat(calls(200).get(1)).isCloseTo(100, Offset.offset(1));
    channel.advance(Duration.ofSeconds(2));
    int reports = channel.reports();
    assertThat(picks(300).get(1)).isCloseTo(200, Offset.offset(3));
    channel.advance(Duration.ofSeconds(1));
    assertThat(channel.reports()).as("other weights make no other picker").isEqualTo(reports);
  }

  @Test
  void l24SharesAreEvenAgainWhenReportsCease() {
    give(false, 10, 1, 2);
    connect(1, 2);
    calls(20);
    channel.advance(Duration.ofSeconds(12));
    assertThat(picks(300).get(1)).isCloseTo(200, Offset.offset(3));
    channel.advance(Duration.ofMinutes(3));
    assertThat(picks(300).get(1)).isCloseTo(150, Offset.offset(2));
  }

  @Test
  void weightsOutliveAnUpdateOfTheEndpoints() {
    give(false, 10, 1, 2);
    connect(1, 2);
    calls(20);
    channel.advance(Duration.ofSeconds(12));
    give(false, 10, 2, 1, 3);
    assertThat(picks(300).get(1)).isCloseTo(200, Offset.offset(3));
  }

  @Test
  void l26OutOfBandReportsAreAskedForOnceConnected() {
    give(true, 7, 1, 2);
    assertThat(channel.subchannel(1).calls().count()).isZero();
    connect(1, 2);
    FakeCalls.Call<?, ?> call = channel.subchannel(1).calls().last();
    assertThat(call.method()).isEqualTo("xds.service.orca.v3.OpenRcaService/StreamCoreMetrics");
    assertThat(((OrcaLoadReportRequest) call.request()).getReportInterval().getSeconds())
        .isEqualTo(7);
    assertThat(channel.pick(FakeCall.unrouted()).getStreamTracerFactory())
        .as("reports of calls are not read")
        .isNull();
    call.answer(using(0.25));
    channel.subchannel(2).calls().last().answer(using(0.5));
    channel.advance(Duration.ofSeconds(11));
    assertThat(picks(300).get(1)).isCloseTo(200, Offset.offset(3));
  }

  @Test
  void l26OtherPeriodsMeanOtherStreamsAndNoneMeansNone() {
    give(true, 7, 1);
    connect(1);
    FakeCalls calls = channel.subchannel(1).calls();
    FakeCalls.Call<?, ?> first = calls.last();
    give(true, 7, 1);
    assertThat(calls.count()).isEqualTo(1);
    give(true, 3, 1);
    assertThat(first.isCancelled()).isTrue();
    assertThat(calls.count()).isEqualTo(2);
    FakeCalls.Call<?, ?> second = calls.last();
    give(false, 3, 1);
    assertThat(second.isCancelled()).isTrue();
    assertThat(calls.count()).isEqualTo(2);
    assertThat(channel.pick(FakeCall.unrouted()).getStreamTracerFactory()).isNotNull();
  }

  @Test
  void l27BrokenStreamsAreTriedAgainAndUnknownServicesAreNot() {
    give(true, 7, 1);
    connect(1);
    FakeCalls calls = channel.subchannel(1).calls();
    calls.last().close(Status.UNAVAILABLE);
    assertThat(calls.count()).isEqualTo(1);
    channel.advance(Duration.ofMillis(1300)); // a second, and its jitter
    assertThat(calls.count()).isEqualTo(2);
    calls.last().answer(using(0.5));
    channel.advance(Duration.ofSeconds(7));
    calls.last().close(Status.UNAVAILABLE);
    assertThat(calls.count()).as("at once, since it had worked").isEqualTo(3);
    calls.last().close(Status.UNIMPLEMENTED);
    channel.advance(Duration.ofMinutes(10));
    assertThat(calls.count()).isEqualTo(3);
    channel.subchannel(1).idle();
    connect(1);
    assertThat(calls.count()).as("a new connection").isEqualTo(4);
  }

  @Test
  void l28SchedulerUpdatesAreMeasured() {
    give(false, 10, 1, 2);
    connect(1, 2);
    String place = "[, cluster]";
    assertThat(channel.measured())
        .containsKey("grpc.lb.wrr.rr_fallback" + place)
        .containsKey("grpc.lb.wrr.endpoint_weight_not_yet_usable" + place)
        .containsEntry("grpc.lb.wrr.endpoint_weights" + place, 0.0);
    calls(20);
    channel.advance(Duration.ofSeconds(10));
    assertThat(channel.measured().get("grpc.lb.wrr.endpoint_weights" + place)).isPositive();
    assertThat(channel.measured()).doesNotContainKey("grpc.lb.wrr.endpoint_weight_stale" + place);
    channel.advance(Duration.ofMinutes(4));
    assertThat(channel.measured()).containsKey("grpc.lb.wrr.endpoint_weight_stale" + place);
  }

  @Test
  void nothingIsLeftAfterwards() {
    give(true, 7, 1, 2);
    connect(1, 2);
    channel.subchannel(2).calls().last().close(Status.UNAVAILABLE);
    channel.run(balancer::shutdown);
    assertThat(channel.subchannel(1).calls().last().isCancelled()).isTrue();
    assertThat(channel.timers()).isEmpty();
  }
}
