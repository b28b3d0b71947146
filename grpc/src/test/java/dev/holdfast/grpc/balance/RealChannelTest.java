// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.locality;
import static dev.holdfast.grpc.balance.kit.Clusters.withDrops;
import static dev.holdfast.grpc.balance.kit.Clusters.withNote;
import static io.grpc.ConnectivityState.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.grpc.balance.kit.Backend;
import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.grpc.balance.kit.Configs;
import dev.holdfast.grpc.balance.kit.ConfiguredChannel;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.hash.XxHash64;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import dev.holdfast.xds.resources.endpoint.DropOverload;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The balancers in gRPC's own channel, with servers that answer and servers that die. */
@Timeout(60)
class RealChannelTest {
  private static final RoutedCall CALL = new RoutedCall("c", 0, false);

  private final ConfiguredChannel channel = new ConfiguredChannel();
  private final Backend first;
  private final Backend second;

  RealChannelTest() throws IOException {
    first = Backend.start();
    second = Backend.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.stop();
    first.stop();
    second.stop();
  }

  private ClusterConfig inOrder() {
    return leaf(
        cluster("c"), assignment(locality("a", 0, first.port()), locality("b", 1, second.port())));
  }

  private Status fails(RoutedCall call) {
    StatusRuntimeException failure =
        catchThrowableOfType(StatusRuntimeException.class, () -> channel.call(call));
    assertThat(failure).isNotNull();
    return failure.getStatus();
  }

  @Test
  void callsGoToTheFirstPriorityUntilItDies() throws Exception {
    channel.give(Configs.of(inOrder()));
    assertThat(channel.call(CALL)).isEqualTo(first.port());
    channel.awaitLeaving(READY, first::stop);
    assertThat(channel.call(CALL)).isEqualTo(second.port());
  }

  @Test
  void whenAllAreDeadTheCallSaysWhatElseIsAmiss() throws Exception {
    channel.give(Configs.of(withNote(inOrder(), "EDS c-eds: stream lost, node n1")));
    assertThat(channel.call(CALL)).isEqualTo(first.port());
    second.stop();
    channel.awaitLeaving(READY, first::stop);
    Status status = fails(CALL);
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).endsWith(" (EDS c-eds: stream lost, node n1)");
  }

  @Test
  void anotherNoteShowsInTheNextCall() throws Exception {
    second.stop();
    first.stop();
    ClusterConfig config = inOrder();
    channel.give(Configs.of(config));
    assertThat(fails(CALL).getDescription()).endsWith(" (node test-node)");
    channel.give(Configs.of(withNote(config, "RDS: rejected")));
    assertThat(fails(CALL).getDescription()).endsWith(" (RDS: rejected)");
  }

  @Test
  void aCallThatWaitsForReadyOutlivesAnError() throws Exception {
    channel.give(Configs.of(leaf(cluster("c"), Status.NOT_FOUND.withDescription("no EDS"))));
    assertThat(fails(CALL).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    Future<Integer> waiting = channel.callWhenReady(CALL);
    channel.give(Configs.of(inOrder()));
    assertThat(waiting.get()).isEqualTo(first.port());
  }

  @Test
  void droppedCallsDoNotReachABackend() throws Exception {
    channel.give(
        Configs.of(
            leaf(
                cluster("c"),
                withDrops(assignment(first.port()), new DropOverload("lb", 1_000_000)))));
    assertThat(fails(CALL).getDescription()).contains("category \"lb\"");
    assertThat(first.calls()).isZero();
  }

  @Test
  void theLimitOnCallsHoldsWhileTheyAreUnderWay() throws Exception {
    channel.give(
        Configs.of(leaf(cluster("limited", LbPolicy.DEFAULT, 1, null), assignment(first.port()))));
    RoutedCall call = new RoutedCall("limited", 0, false);
    assertThat(channel.call(call)).isEqualTo(first.port());
    first.hold();
    Future<Integer> held = channel.callWhenReady(call);
    first.awaitHeld();
    assertThat(fails(call).getDescription()).contains("max_requests");
    first.release();
    assertThat(held.get()).isEqualTo(first.port());
  }

  @Test
  void theAuthorityIsRewritten() throws Exception {
    channel.give(Configs.of(leaf(cluster("c"), assignment(first.port()))));
    channel.call(new RoutedCall("c", 0, true));
    assertThat(first.lastAuthority()).isEqualTo("host-" + first.port());
    channel.call(CALL);
    assertThat(first.lastAuthority()).isEqualTo("configured");
  }

  @Test
  void callsOfOneHashMeetOneBackend() throws Exception {
    channel.give(
        Configs.of(
            leaf(
                cluster("c", new LbPolicy.RingHash(100, 100)),
                assignment(first.port(), second.port()))));
    for (Backend backend : List.of(first, second)) {
      RoutedCall call =
          new RoutedCall("c", XxHash64.hash("127.0.0.1:" + backend.port() + "_0"), false);
      for (int i = 0; i < 5; i++) {
        assertThat(channel.call(call)).isEqualTo(backend.port());
      }
    }
  }

  @Test
  void endpointsOfSeveralAddressesWorkUnderOutlierDetection() throws Exception {
    OutlierDetection detection =
        new OutlierDetection(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(300),
            10,
            null,
            new OutlierDetection.FailurePercentage(85, 100, 5, 50));
    int dead = second.port();
    second.stop();
    channel.give(
        Configs.of(
            leaf(
                cluster("c", LbPolicy.DEFAULT, 1024, detection),
                assignment(
                    new LocalityEndpoints(
                        new Locality("r", "z", ""),
                        0,
                        1,
                        List.of(Clusters.endpoint(dead, first.port())))))));
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      ports.add(channel.call(CALL));
    }
    assertThat(ports).containsExactly(first.port());
  }
}
