// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.locality;
import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster that cannot be reached because of what the control plane said, or did not say. */
class LeafErrorsTest {
  private final Leaf leaf = new Leaf();

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"NOT_FOUND", "INVALID_ARGUMENT", "PERMISSION_DENIED", "INTERNAL"})
  void theCodeOfTheControlPlaneDoesNotLeak(Status.Code code) {
    leaf.give(leaf(cluster("c"), code.toStatus().withDescription("EDS c-eds: does not exist")));
    Status status = leaf.channel.error(Leaf.call());
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo("cluster c: no usable endpoints: EDS c-eds: does not exist (node test-node)");
    assertThat(leaf.channel.state()).isEqualTo(TRANSIENT_FAILURE);
  }

  @Test
  void anErrorThatSaysNothingIsNamedByItsCode() {
    leaf.give(leaf(cluster("c"), Status.NOT_FOUND));
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .isEqualTo("cluster c: no usable endpoints: NOT_FOUND (node test-node)");
  }

  @Test
  void callsThatWaitForReadyCanWait() {
    leaf.give(leaf(cluster("c"), Status.NOT_FOUND));
    assertThat(leaf.channel.pick(Leaf.call()).isDrop()).isFalse();
  }

  @Test
  void anErrorTakesThePlaceOfWhatServed() {
    leaf.give(leaf(cluster("c"), assignment(1)));
    leaf.connectAll();
    leaf.give(leaf(cluster("c"), Status.NOT_FOUND));
    assertThat(leaf.channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(leaf.channel.subchannel(1).isShutDown()).isTrue();
    assertThat(leaf.channel.timers()).isEmpty();
  }

  @Test
  void endpointsTakeThePlaceOfAnError() {
    leaf.give(leaf(cluster("c"), Status.NOT_FOUND));
    leaf.give(leaf(cluster("c"), assignment(1)));
    assertThat(leaf.channel.state()).isEqualTo(CONNECTING);
    leaf.connectAll();
    assertThat(leaf.channel.state()).isEqualTo(READY);
  }

  @Test
  void noLocalitiesAreNoEndpoints() {
    leaf.give(leaf(cluster("c"), assignment(new int[0])));
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .startsWith("cluster c: no usable endpoints (");
    leaf.give(leaf(cluster("c"), assignment(locality("a", 0), locality("b", 1))));
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .startsWith("cluster c: no usable endpoints (");
  }

  @Test
  void aPolicyThatNobodyKnowsIsNamed() {
    leaf.give(
        leaf(
            cluster("c", new LbPolicy.Custom("acme.best", Struct.getDefaultInstance())),
            assignment(1)));
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .isEqualTo(
            "cluster c: load balancing policy acme.best is not registered (expected: its provider"
                + " on the class path) (node test-node)");
  }

  @Test
  void aPolicyThatRejectsItsConfigurationIsNamed() {
    Struct config =
        Struct.newBuilder()
            .putFields("shuffleAddressList", Value.newBuilder().setStringValue("yes").build())
            .build();
    leaf.give(leaf(cluster("c", new LbPolicy.Custom("pick_first", config)), assignment(1)));
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .startsWith("cluster c: load balancing policy pick_first rejects its configuration: ");
  }
}
