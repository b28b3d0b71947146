// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.decode.IpLiterals;
import dev.holdfast.xds.resources.testing.Outcomes;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** gRFC A27, A61, A81. */
class EndpointsTest {
  private static final String AT = "endpoints[0].lb_endpoints[0]";

  @Test
  void endpointHasAnAddressAndDefaults() {
    assertThat(endpoints(Assignments.withEndpoints(Assignments.endpoint("10.0.0.1", 80))))
        .isEqualTo(List.of(new Endpoint(List.of(address("10.0.0.1", 80)), 1, "")));
  }

  @Test
  void weightHostnameAndAdditionalAddressesAreRead() {
    assertThat(
            endpoints(
                Assignments.withEndpoints(
                    "lb_endpoints { load_balancing_weight { value: 4294967295 } endpoint {"
                        + " hostname: 'host:1' "
                        + Assignments.address("::1", 80)
                        + "additional_addresses {"
                        + Assignments.address("10.0.0.1", 81)
                        + "} } }")))
        .isEqualTo(
            List.of(
                new Endpoint(
                    List.of(address("::1", 80), address("10.0.0.1", 81)),
                    4_294_967_295L,
                    "host:1")));
  }

  @Test
  void l30HashKeyIsATextInTheMetadataForBalancing() {
    assertThat(
            hashKey("'envoy.lb' value { fields { key: 'hash_key' value { string_value: 'k' } } }"))
        .isEqualTo("k");
    assertThat(hashKey("'envoy.lb' value { fields { key: 'hash_key' value { number_value: 1 } } }"))
        .isEmpty();
    assertThat(hashKey("'envoy.lb' value { fields { key: 'other' value { string_value: 'k' } } }"))
        .isEmpty();
    assertThat(hashKey("'other' value { fields { key: 'hash_key' value { string_value: 'k' } } }"))
        .isEmpty();
  }

  private static String hashKey(String metadata) {
    return endpoints(
            Assignments.withEndpoints(
                "lb_endpoints { endpoint {"
                    + Assignments.address("10.0.0.1", 80)
                    + "} metadata { filter_metadata { key: "
                    + metadata
                    + " } } }"))
        .get(0)
        .hashKey();
  }

  @Test
  void endpointsThatAreDrainingAreThereForTheirSessions() {
    String draining =
        "lb_endpoints { health_status: DRAINING endpoint {"
            + Assignments.address("10.0.0.1", 1)
            + "} }";
    assertThat(endpoints(Assignments.withEndpoints(draining)))
        .isEqualTo(
            List.of(
                new Endpoint(List.of(address("10.0.0.1", 1)), 1, "", "", EndpointHealth.DRAINING)));
    assertThat(endpoints(Assignments.withEndpoints(draining + Assignments.endpoint("10.0.0.1", 1))))
        .as("the same address may be in use elsewhere")
        .hasSize(2);
    LocalityEndpoints locality =
        new LocalityEndpoints(
            new Locality("r", "z", ""),
            0,
            1,
            endpoints(Assignments.withEndpoints(draining + Assignments.endpoint("10.0.0.2", 2))));
    assertThat(locality.withoutDraining().endpoints())
        .extracting(endpoint -> endpoint.addresses().get(0).getPort())
        .containsExactly(2);
  }

  @Test
  void endpointsThatAreNotHealthyAreIgnoredWhateverElseTheySay() {
    assertThat(
            endpoints(
                Assignments.withEndpoints(
                    Assignments.endpoint("10.0.0.1", 1)
                        + "lb_endpoints { health_status: UNHEALTHY }"
                        + "lb_endpoints { health_status: TIMEOUT }"
                        + "lb_endpoints { health_status: DEGRADED }"
                        + "lb_endpoints { health_status: HEALTHY endpoint {"
                        + Assignments.address("10.0.0.2", 2)
                        + "} }")))
        .extracting(endpoint -> endpoint.addresses().get(0).getPort())
        .containsExactly(1, 2);
    assertThat(
            endpoints(
                Assignments.withEndpoints(
                    Assignments.endpoint("10.0.0.1", 1) + "lb_endpoints { health_status: 99 }")))
        .hasSize(1);
  }

  @Test
  void everythingThatIsMissingIsReported() {
    assertThat(
            Outcomes.problems(
                Assignments.withEndpoints(
                    """
                    lb_endpoints {}
                    lb_endpoints { endpoint {} }
                    lb_endpoints { endpoint { address {} } }
                    lb_endpoints { endpoint { address { socket_address {} } } }
                    lb_endpoints { endpoint { address { pipe { path: '/p' } } } }
                    """)))
        .containsExactly(
            AT + ".endpoint: not set (expected: an address)",
            "endpoints[0].lb_endpoints[1].endpoint.address: not set (expected: an IP address and a"
                + " port)",
            "endpoints[0].lb_endpoints[2].endpoint.address.socket_address: not set (expected: an IP"
                + " address and a port)",
            "endpoints[0].lb_endpoints[3].endpoint.address.socket_address.address: \"\" (expected:"
                + " an IPv4 or IPv6 address)",
            "endpoints[0].lb_endpoints[3].endpoint.address.socket_address.port_value: not set"
                + " (expected: a port number)",
            "endpoints[0].lb_endpoints[4].endpoint.address.socket_address: not set (expected: an IP"
                + " address and a port)");
  }

  @Test
  void addressMustBeAnIpAddressWithAPort() {
    assertThat(Outcomes.problems(Assignments.withEndpoints(Assignments.endpoint("a.example", 1))))
        .containsExactly(
            AT
                + ".endpoint.address.socket_address.address: \"a.example\" (expected: an IPv4 or"
                + " IPv6 address)");
    assertThat(Outcomes.problems(Assignments.withEndpoints(Assignments.endpoint("::1", 65536))))
        .containsExactly(
            AT + ".endpoint.address.socket_address.port_value: 65536 (expected: at most 65535)");
    assertThat(
            Outcomes.problems(
                Assignments.withEndpoints(
                    "lb_endpoints { endpoint { address { socket_address { address: '::1'"
                        + " port_value: 4294967295 } } } }")))
        .containsExactly(
            AT
                + ".endpoint.address.socket_address.port_value: 4294967295 (expected: at most"
                + " 65535)");
  }

  @Test
  void additionalAddressesAreCheckedLikeTheFirst() {
    assertThat(
            Outcomes.problems(
                Assignments.withEndpoints(
                    "lb_endpoints { endpoint {"
                        + Assignments.address("::1", 1)
                        + "additional_addresses {} additional_addresses {"
                        + Assignments.address("x", 1)
                        + "} } }")))
        .containsExactly(
            AT
                + ".endpoint.additional_addresses[0].address: not set (expected: an IP address and"
                + " a port)",
            AT
                + ".endpoint.additional_addresses[1].address.socket_address.address: \"x\""
                + " (expected: an IPv4 or IPv6 address)");
  }

  @Test
  void addressOccursOnlyOnceInTheCluster() {
    assertThat(
            Outcomes.problems(
                Assignments.decode(
                    "cluster_name: 'e' endpoints { load_balancing_weight { value: 1 } "
                        + Assignments.endpoint("10.0.0.1", 1)
                        + Assignments.endpoint("10.0.0.1", 2)
                        + "} endpoints { priority: 1 load_balancing_weight { value: 1 }"
                        + " lb_endpoints { endpoint {"
                        + Assignments.address("10.0.0.3", 1)
                        + "additional_addresses {"
                        + Assignments.address("::ffff:10.0.0.1", 1)
                        + "} } } }")))
        .containsExactly(
            "endpoints[1].lb_endpoints[0].endpoint.additional_addresses[0].address: 10.0.0.1 port 1"
                + " (expected: only once in the cluster)");
  }

  @Test
  void weightsOfEndpointsAreAtLeastOneAndFitInAnUnsignedInteger() {
    String heavy =
        "lb_endpoints { load_balancing_weight { value: 4294967295 } endpoint {"
            + Assignments.address("10.0.0.1", 1)
            + "} }";

    assertThat(
            Outcomes.problems(
                Assignments.withEndpoints(heavy + Assignments.endpoint("10.0.0.2", 1))))
        .containsExactly(
            "endpoints[0].lb_endpoints: sum of weights: 4294967296 (expected: at most"
                + " 4294967295)");
    assertThat(
            Outcomes.problems(
                Assignments.withEndpoints(
                    "lb_endpoints { load_balancing_weight {} endpoint {"
                        + Assignments.address("10.0.0.1", 1)
                        + "} }")))
        .containsExactly(AT + ".load_balancing_weight: 0 (expected: not set or at least 1)");
  }

  private static InetSocketAddress address(String ip, int port) {
    return new InetSocketAddress(Objects.requireNonNull(IpLiterals.parse(ip)), port);
  }

  private static List<Endpoint> endpoints(Decoded<ClusterLoadAssignment> decoded) {
    return Outcomes.value(decoded).localities().get(0).endpoints();
  }
}
