// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.locality;
import static dev.holdfast.grpc.balance.kit.Clusters.withNote;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every error that a cluster ends calls with says what is amiss besides (gRFC A88). */
class NotesTest {
  private final Leaf leaf = new Leaf();

  static Stream<Arguments> policies() {
    OutlierDetection outliers =
        new OutlierDetection(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(300),
            10,
            null,
            new OutlierDetection.FailurePercentage(85, 100, 5, 50));
    return Stream.of(
            new LbPolicy.PickFirst(false),
            new LbPolicy.RoundRobin(),
            new LbPolicy.LeastRequest(2),
            new LbPolicy.RingHash(16, 64),
            new LbPolicy.WrrLocality(new LbPolicy.RoundRobin()),
            new LbPolicy.WrrLocality(new LbPolicy.LeastRequest(2)),
            new LbPolicy.WrrLocality(new LbPolicy.PickFirst(true)))
        .flatMap(policy -> Stream.of(Arguments.of(policy, null), Arguments.of(policy, outliers)));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void isOnTheErrorsOfEveryPolicy(LbPolicy policy, @Nullable OutlierDetection outliers) {
    leaf.give(
        withNote(
            leaf(
                cluster("c", policy, 1024, outliers),
                assignment(locality("a", 0, 1), locality("b", 0, 2), locality("a", 1, 3))),
            "EDS c-eds: stream lost, node n1"));
    failUntilNothingIsLeft();
    assertThat(leaf.channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(leaf.channel.error(Leaf.call()).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .isEqualTo("refused (EDS c-eds: stream lost, node n1)");
  }

  /** Fails all connections; lazy policies are asked for more by a call. */
  private void failUntilNothingIsLeft() {
    for (int round = 0; round < 10; round++) {
      for (FakeSubchannel subchannel : leaf.channel.subchannels()) {
        if (!subchannel.isShutDown()) {
          subchannel.fail("refused");
        }
      }
      leaf.channel.pick(Leaf.call());
    }
  }

  @Test
  void aNoteThatChangesReachesNothingBelow() {
    ClusterConfig config = leaf(cluster("c"), assignment(locality("a", 0, 1), locality("b", 0, 2)));
    leaf.give(config);
    failUntilNothingIsLeft();
    int reports = leaf.channel.reports();
    leaf.give(withNote(config, "RDS routes: rejected"));
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .isEqualTo("refused (RDS routes: rejected)");
    assertThat(leaf.channel.reports()).isEqualTo(reports + 1);
    assertThat(leaf.channel.subchannels()).hasSize(2);
    assertThat(leaf.channel.subchannels()).allMatch(s -> s.updates() == 0 && s.requests() == 1);
  }

  @Test
  void aNoteThatChangesDoesNotDisturbTheCallsThatSucceed() {
    ClusterConfig config = leaf(cluster("c"), assignment(1));
    leaf.give(config);
    leaf.connectAll();
    leaf.give(withNote(config, "CDS c: connection lost"));
    assertThat(leaf.channel.port(Leaf.call())).isEqualTo(1);
    assertThat(leaf.channel.subchannels()).hasSize(1);
    assertThat(leaf.channel.subchannel(1).updates()).isZero();
  }

  @Test
  void isOnTheErrorOfAClusterWithoutEndpoints() {
    leaf.give(leaf(cluster("c"), assignment(locality("a", 0))));
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .isEqualTo("cluster c: no usable endpoints (node test-node)");
  }

  @Test
  void isNotThereTwice() {
    Note note = new Note("node n1");
    Status once = note.on(Status.UNAVAILABLE.withDescription("refused"));
    assertThat(note.on(once)).isEqualTo(once);
    assertThat(once.getDescription()).isEqualTo("refused (node n1)");
    assertThat(note.on(Status.UNAVAILABLE).getDescription()).isEqualTo("node n1");
  }

  @Test
  void doesNotRepeatTheNodeThatAnErrorOfTheControlPlaneEndsWith() {
    Status error = Status.UNAVAILABLE.withDescription("EDS resource e: gone (node ID:n1)");
    assertThat(new Note("xDS node ID:n1").on(error).getDescription())
        .isEqualTo("EDS resource e: gone (xDS node ID:n1)");
    assertThat(new Note("RDS resource r: lost (node ID:n1)").on(error).getDescription())
        .isEqualTo("EDS resource e: gone (RDS resource r: lost (node ID:n1))");
    assertThat(new Note("xDS node ID:n2").on(error).getDescription())
        .isEqualTo("EDS resource e: gone (node ID:n1) (xDS node ID:n2)");
  }

  @Test
  void comesAfterTheCauseOfABrokenConnection() {
    Status status =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new IOException("Connection refused: /127.0.0.1:80"));
    Note note = new Note("xDS node ID:n1");
    Status noted = note.on(status);
    assertThat(noted.getDescription())
        .isEqualTo("io exception: Connection refused: /127.0.0.1:80 (xDS node ID:n1)");
    assertThat(note.on(noted)).isSameAs(noted);
  }

  @Test
  void isNotOnDropsAndNotOnCallsThatWait() {
    Note note = new Note("node n1");
    PickResult drop = PickResult.withDrop(Status.UNAVAILABLE.withDescription("dropped"));
    assertThat(note.on(drop)).isSameAs(drop);
    PickResult wait = PickResult.withNoResult();
    assertThat(note.on(wait)).isSameAs(wait);
  }
}
