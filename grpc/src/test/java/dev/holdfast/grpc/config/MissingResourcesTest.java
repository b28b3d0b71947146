// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.ServerFeature;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * E50: for each type, a server that is silent and a resource that is missing, alone or beside
 * others: what calls are told, when, and that the others are unaffected. On the engine's own
 * timers.
 */
class MissingResourcesTest {
  private static final String SILENCE =
      "xDS server " + Watching.SERVER + " did not send it within ";

  @ParameterizedTest
  @CsvSource({"LDS, svc", "RDS, r"})
  void e50NobodyCanCallWithoutListenerOrRoutes(String type, String name) {
    try (Watching it = new Watching(server -> server.silence(url(type)))) {
      silent(it, type, name);
    }
    try (Watching it = new Watching(server -> server.remove(url(type), name))) {
      silent(it, type, name);
    }
  }

  private static void silent(Watching it, String type, String name) {
    it.advance(14);
    assertThat(it.toldAnything()).as("wait-for-ready or not, calls wait").isFalse();
    it.advance(1);
    Status status = it.last().getStatus();
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo(
            type + " resource " + name + ": does not exist: " + SILENCE + "15 s (node ID:node-1)");
  }

  @Test
  void e50SilenceAboutClustersFailsEachCluster() {
    try (Watching it = new Watching(server -> server.silence(TypeUrls.CLUSTER))) {
      it.advance(15);
      for (String name : new String[] {"c", "d"}) {
        unavailable(Dependent.error(it.config(), name), "CDS resource " + name);
      }
    }
  }

  @Test
  void e50SecondClusterThatIsMissingFailsAlone() {
    try (Watching it = new Watching(server -> server.remove(TypeUrls.CLUSTER, "d"))) {
      it.advance(15);
      assertThat(Dependent.ports(it.config(), "c")).isEqualTo("1");
      unavailable(Dependent.error(it.config(), "d"), "CDS resource d");
    }
  }

  @Test
  void e50SilenceAboutEndpointsFailsEachCluster() {
    try (Watching it = new Watching(server -> server.silence(TypeUrls.CLUSTER_LOAD_ASSIGNMENT))) {
      it.advance(15);
      for (String name : new String[] {"c", "d"}) {
        unavailable(Dependent.assignment(it.config(), name).getStatus(), "EDS resource " + name);
      }
    }
  }

  @Test
  void e50EndpointsThatAreMissingFailTheirClusterAlone() {
    try (Watching it =
        new Watching(server -> server.remove(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "d"))) {
      it.advance(15);
      assertThat(Dependent.ports(it.config(), "c")).isEqualTo("1");
      unavailable(Dependent.assignment(it.config(), "d").getStatus(), "EDS resource d");

      it.server.put("d", Resources.endpoints("d", 4));
      it.server.push(TypeUrls.CLUSTER_LOAD_ASSIGNMENT);
      it.settle();
      assertThat(Dependent.ports(it.config(), "d")).isEqualTo("4");
    }
  }

  @Test
  void e50SecondRoutesThatAreMissingFailOnceTheyAreGivenUp() {
    try (Watching it = new Watching(server -> {})) {
      XdsConfig before = it.config();
      it.server.put("svc", Resources.apiListener("svc", "r2"));
      it.server.push(TypeUrls.LISTENER);
      it.settle();
      it.advance(14);
      assertThat(it.config()).as("the routes that worked stay").isSameAs(before);
      it.advance(1);
      assertThat(it.last().getStatus().getDescription()).startsWith("RDS resource r2: does not");
    }
  }

  @Test
  void e51SilenceAfterARestartChangesNothing() {
    try (Watching it = new Watching(server -> {})) {
      XdsConfig before = it.config();
      for (String type : new String[] {"LDS", "RDS", "CDS", "EDS"}) {
        it.server.silence(url(type));
      }
      it.server.lose("restarting");
      it.settle();
      it.advance(60);
      assertThat(it.server.hasStream()).isTrue();
      assertThat(it.config().clusters().keySet()).isEqualTo(before.clusters().keySet());
      assertThat(Dependent.ports(it.config(), "c")).isEqualTo("1");
    }
  }

  @Test
  void timerThatOnlyMeansSlownessTakesThirtySecondsAndSaysSo() {
    try (Watching it =
        new Watching(
            server -> server.silence(TypeUrls.LISTENER),
            ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR)) {
      it.advance(29);
      assertThat(it.toldAnything()).isFalse();
      it.advance(1);
      assertThat(it.last().getStatus().getDescription())
          .isEqualTo("LDS resource svc: timed out: " + SILENCE + "30 s (node ID:node-1)");
    }
  }

  private static void unavailable(Status status, String resource) {
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo(resource + ": does not exist: " + SILENCE + "15 s (node ID:node-1)");
  }

  static String url(String type) {
    return switch (type) {
      case "LDS" -> TypeUrls.LISTENER;
      case "RDS" -> TypeUrls.ROUTE_CONFIGURATION;
      case "CDS" -> TypeUrls.CLUSTER;
      default -> TypeUrls.CLUSTER_LOAD_ASSIGNMENT;
    };
  }
}
