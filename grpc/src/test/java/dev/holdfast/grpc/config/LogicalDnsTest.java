// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.assignment;
import static dev.holdfast.grpc.config.Dependent.config;
import static dev.holdfast.grpc.config.Dependent.dns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import io.grpc.Status;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Clusters whose endpoints DNS knows (gRFC A37). */
class LogicalDnsTest {
  private static final InetSocketAddress ONE = InetSocketAddress.createUnresolved("10.0.0.1", 80);
  private static final InetSocketAddress TWO = InetSocketAddress.createUnresolved("10.0.0.2", 80);

  @Test
  void allAddressesAreOneEndpointThatHasTheName() {
    try (Dependent it = routesToDns()) {
      it.hosts.found("db.example:80", ONE, TWO);
      it.settle();
      assertThat(endpoint(it.next()).addresses()).containsExactly(ONE, TWO);
      it.hosts.found("db.example:80", TWO);
      it.settle();
      Endpoint endpoint = endpoint(it.next());
      assertThat(endpoint.addresses()).containsExactly(TWO);
      assertThat(endpoint.hostname()).isEqualTo("db.example:80");
      it.hosts.found("db.example:80", TWO);
      it.settle();
      it.nothing();
    }
  }

  @Test
  void lookupThatFailsMakesTheClusterUnreachableAndSaysWhy() {
    try (Dependent it = routesToDns()) {
      it.hosts.notFound("db.example:80", Status.NOT_FOUND.withDescription("no such host"));
      it.settle();
      Status status = assignment(it.next(), "c").getStatus();
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription())
          .isEqualTo("DNS name db.example:80 of cluster c: no such host (node ID:node-1)");

      it.hosts.found("db.example:80");
      it.settle();
      assertThat(assignment(it.next(), "c").getStatus().getDescription()).contains("no addresses");
    }
  }

  @Test
  void lookupThatFailsLaterIsNotedAndTheAddressesStay() {
    try (Dependent it = routesToDns()) {
      it.hosts.found("db.example:80", ONE);
      it.settle();
      it.next();
      it.hosts.notFound("db.example:80", Status.UNAVAILABLE.withDescription("DNS is down"));
      it.settle();
      XdsConfig config = it.next();
      assertThat(endpoint(config).addresses()).containsExactly(ONE);
      assertThat(config(config, "c").note())
          .isEqualTo("DNS name db.example:80 of cluster c: DNS is down (node ID:node-1)");
    }
  }

  @Test
  void refreshAsksDnsAgain() {
    try (Dependent it = routesToDns()) {
      it.manager.refresh();
      it.settle();
      assertThat(it.hosts.refreshed()).containsExactly("db.example:80");
    }
  }

  @Test
  void lookupEndsWhenTheClusterHasItsEndpointsFromElsewhere() {
    try (Dependent it = routesToDns()) {
      it.cluster(Resources.edsCluster("c"));
      assertThat(it.hosts.open()).isEmpty();
      it.cluster(dns("c", "::1", 81));
      assertThat(it.hosts.open()).containsExactly("[::1]:81");
    }
  }

  private static Dependent routesToDns() {
    Dependent it = new Dependent();
    it.listener("r").routes(Resources.routesTo("r", "c"));
    return it.cluster(dns("c", "db.example", 80));
  }

  private static Endpoint endpoint(XdsConfig config) {
    return assignment(config, "c").getValue().localities().get(0).endpoints().get(0);
  }
}
