// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.ports;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** Errors that leave no configuration at all: always UNAVAILABLE, with resource, reason, node. */
class ListenerAndRouteErrorsTest {
  @Test
  void e50MissingListenerIsUnavailable() {
    try (Dependent it = new Dependent()) {
      it.fail("LDS", "svc", Status.Code.NOT_FOUND, "does not exist: no such service");
      unavailable(
          it.nextError(), "LDS resource svc: does not exist: no such service (node ID:node-1)");
    }
  }

  @Test
  void e50MissingRoutesAreUnavailable() {
    try (Dependent it = new Dependent()) {
      it.listener("r").fail("RDS", "r", Status.Code.INVALID_ARGUMENT, "invalid: name");
      unavailable(it.nextError(), "RDS resource r: invalid: name (node ID:node-1)");
    }
  }

  @Test
  void g103ListenerThatIsDroppedTakesEverythingAlongAndComesBackWhole() {
    try (Dependent it = Dependent.withOneCluster()) {
      XdsConfig before = it.next();
      it.fail("LDS", "svc", Status.Code.NOT_FOUND, "does not exist");
      unavailable(it.nextError(), "LDS resource svc: does not exist (node ID:node-1)");
      assertThat(it.xds.watched()).containsExactly("LDS svc");

      it.listener("r").nothing();
      it.routes(Resources.routesTo("r", "c")).cluster(Resources.edsCluster("c")).nothing();
      it.endpoints("c", 2);
      XdsConfig after = it.next();
      assertThat(ports(after, "c")).isEqualTo("2");
      assertThat(after.virtualHost()).isSameAs(before.virtualHost());
    }
  }

  @Test
  void g104RoutesThatAreDroppedComeBack() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.fail("RDS", "r", Status.Code.INVALID_ARGUMENT, "invalid");
      unavailable(it.nextError(), "RDS resource r: invalid (node ID:node-1)");
      it.routes(Resources.routesTo("r", "c"));
      it.cluster(Resources.edsCluster("c")).endpoints("c", 1);
      assertThat(ports(it.next(), "c")).isEqualTo("1");
    }
  }

  @Test
  void g105NoVirtualHostFresh() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(onlyFor("elsewhere"));
      unavailable(
          it.nextError(),
          "RDS resource r: no virtual host for svc (expected: one with a domain that fits it, or"
              + " *) (node ID:node-1)");
    }
  }

  @Test
  void g105NoVirtualHostAnyMore() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.routes(onlyFor("elsewhere"));
      assertThat(it.nextError().getDescription()).contains("no virtual host for svc");
      it.routes(onlyFor("SVC")).cluster(Resources.edsCluster("c")).endpoints("c", 1);
      assertThat(it.next().virtualHost().domains()).containsExactly("SVC");
    }
  }

  @Test
  void listenerForServersIsOfNoUse() {
    try (Dependent it = new Dependent()) {
      it.xds.send(
          "LDS",
          "svc",
          Resources.listener(
              """
              {"name": "svc",
               "address": {"socket_address": {"address": "0.0.0.0", "port_value": 80}}}
              """));
      it.settle();
      assertThat(it.nextError().getDescription())
          .isEqualTo(
              "LDS resource svc: a listener for servers (expected: one with an api_listener)"
                  + " (node ID:node-1)");
    }
  }

  @Test
  void theSameErrorIsToldOnce() {
    try (Dependent it = new Dependent()) {
      it.fail("LDS", "svc", Status.Code.UNAVAILABLE, "gone").nextError();
      it.fail("LDS", "svc", Status.Code.UNAVAILABLE, "gone").nothing();
      it.fail("LDS", "svc", Status.Code.UNAVAILABLE, "gone again");
      assertThat(it.nextError().getDescription()).contains("gone again");
    }
  }

  private static io.envoyproxy.envoy.config.route.v3.RouteConfiguration onlyFor(String domain) {
    return Resources.routeConfiguration(
        """
        {"name": "r", "virtual_hosts": [{"name": "h", "domains": ["%s"],
          "routes": [{"match": {"prefix": ""}, "route": {"cluster": "c"}}]}]}
        """
            .formatted(domain));
  }

  private static void unavailable(Status status, String text) {
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).isEqualTo(text);
  }
}
