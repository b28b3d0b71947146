// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.config;
import static dev.holdfast.grpc.config.Dependent.ports;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.ServerFeature;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of gRFC A88's table, as the configuration of a channel has them. */
class DataErrorsTest {
  private static final ServerFeature STRICT = ServerFeature.FAIL_ON_DATA_ERRORS;

  @Test
  void lostServerIsNotedOnceThereIsAConfiguration() {
    try (Watching it = new Watching(server -> {})) {
      it.server.lose("gone");
      it.settle();
      assertThat(ports(it.config(), "c")).isEqualTo("1");
      assertThat(config(it.config(), "c").note())
          .startsWith(
              "LDS resource svc, RDS resource r, CDS resource c, EDS resource c: xDS server"
                  + " xds.example:443: ")
          .endsWith("gone (node ID:node-1)")
          .containsOnlyOnce("gone")
          .containsOnlyOnce("node-1");
    }
  }

  @Test
  void badClusterThatIsKeptIsNoted() {
    try (Watching it = new Watching(server -> {})) {
      it.server.push(TypeUrls.CLUSTER, bad("c"));
      it.settle();
      assertThat(ports(it.config(), "c")).isEqualTo("1");
      assertThat(config(it.config(), "c").note())
          .startsWith("CDS resource c: invalid: ")
          .containsOnlyOnce("node-1");
    }
  }

  @Test
  void badClusterThatIsDroppedFailsItsCalls() {
    try (Watching it = new Watching(server -> {}, STRICT)) {
      it.server.put("c", Cluster.newBuilder().setName("c").build());
      it.server.push(TypeUrls.CLUSTER);
      it.settle();
      Status status = Dependent.error(it.config(), "c");
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription()).startsWith("CDS resource c: invalid: ");
    }
  }

  @Test
  void badClusterThatWasNeverGoodFailsItsCalls() {
    try (Watching it =
        new Watching(server -> server.put("c", Cluster.newBuilder().setName("c").build()))) {
      assertThat(Dependent.error(it.config(), "c").getDescription())
          .startsWith("CDS resource c: invalid: ");
      assertThat(ports(it.config(), "d")).isEqualTo("1");
    }
  }

  @Test
  void e40DeletedListenerIsKeptAndNoted() {
    try (Watching it = new Watching(server -> {})) {
      it.server.remove(TypeUrls.LISTENER, "svc");
      it.server.push(TypeUrls.LISTENER);
      it.settle();
      assertThat(config(it.config(), "d").note())
          .startsWith("LDS resource svc: does not exist: ")
          .endsWith("(node ID:node-1)");

      it.server.put("svc", Resources.apiListener("svc", "r"));
      it.server.push(TypeUrls.LISTENER);
      it.settle();
      assertThat(config(it.config(), "d").note()).isEqualTo("xDS node ID:node-1");
    }
  }

  @Test
  void e40DeletedClusterIsDroppedIfTheServerIsNotTrustedToAlert() {
    try (Watching it = new Watching(server -> {}, STRICT)) {
      it.server.remove(TypeUrls.CLUSTER, "d");
      it.server.push(TypeUrls.CLUSTER);
      it.settle();
      assertThat(Dependent.error(it.config(), "d").getDescription())
          .startsWith("CDS resource d: does not exist: ");
      assertThat(ports(it.config(), "c")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void h35NoCodeOfTheControlPlaneReachesACall(Status.Code code) {
    try (Watching it =
        new Watching(
            server -> {
              server.remove(TypeUrls.LISTENER, "svc");
              server.refuse("svc", code, "says the server");
            })) {
      assertThat(it.last().getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(it.last().getStatus().getDescription())
          .isEqualTo("LDS resource svc: says the server (node ID:node-1)");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NOT_FOUND, false, kept",
    "PERMISSION_DENIED, false, kept",
    "NOT_FOUND, true, dropped",
    "PERMISSION_DENIED, true, dropped",
    "INTERNAL, false, kept",
    "INTERNAL, true, kept"
  })
  void errorOfTheServerForEndpointsThatAreKnown(Status.Code code, boolean strict, String outcome) {
    ServerFeature[] features = strict ? new ServerFeature[] {STRICT} : new ServerFeature[0];
    try (Watching it = new Watching(server -> {}, features)) {
      it.server.remove(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "d");
      it.server.refuse("d", code, "says the server");
      it.server.push(TypeUrls.CLUSTER_LOAD_ASSIGNMENT);
      it.settle();
      if (outcome.equals("kept")) {
        assertThat(ports(it.config(), "d")).isEqualTo("1");
        assertThat(config(it.config(), "d").note())
            .isEqualTo("EDS resource d: says the server (node ID:node-1)");
      } else {
        Status status = Dependent.assignment(it.config(), "d").getStatus();
        assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status.getDescription())
            .isEqualTo("EDS resource d: says the server (node ID:node-1)");
      }
      assertThat(ports(it.config(), "c")).isEqualTo("1");
    }
  }

  private static Any bad(String cluster) {
    return Any.pack(Cluster.newBuilder().setName(cluster).build());
  }
}
