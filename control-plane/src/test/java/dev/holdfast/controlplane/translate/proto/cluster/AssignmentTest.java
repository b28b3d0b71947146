// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignmentDecoder;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Load assignments. */
class AssignmentTest {
  private static final Service.Port HTTP = new Service.Port("http", 80, Service.Transport.TCP);

  private static EndpointSlice slice(String type, String ports, String endpoints) {
    return YamlFixtures.object(
        EndpointSlice.class,
        """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: e, namespace: shop, labels: {kubernetes.io/service-name: s}}
        addressType: %s
        ports: [%s]
        endpoints: [%s]
        """
            .formatted(type, ports, endpoints));
  }

  private static EndpointSlice v4(String endpoints) {
    return slice("IPv4", "{name: http, port: 8080}", endpoints);
  }

  /** {@code zone(weight): address:port, ...} of every locality, in order. */
  private static List<String> localities(ClusterLoadAssignment assignment) {
    assertThat(
            ClusterLoadAssignmentDecoder.decode(
                assignment.toByteString(), DecodeOptions.defaults()))
        .isInstanceOf(Decoded.Valid.class);
    return assignment.getEndpointsList().stream().map(AssignmentTest::locality).toList();
  }

  private static String locality(LocalityLbEndpoints locality) {
    assertThat(locality.hasLocality()).isTrue();
    return locality.getLocality().getZone()
        + "("
        + locality.getLoadBalancingWeight().getValue()
        + "):"
        + locality.getLbEndpointsList().stream()
            .map(endpoint -> endpoint.getEndpoint().getAddress().getSocketAddress())
            .map((SocketAddress at) -> " " + at.getAddress() + ":" + at.getPortValue())
            .reduce("", String::concat);
  }

  private static List<String> localities(EndpointSlice... slices) {
    return localities(Assignments.of("shop/s/http", HTTP, List.of(slices)));
  }

  @Test
  void endpointHasAddressAndPort() {
    assertThat(
            Text.of(
                Assignments.of(
                    "shop/s/http", HTTP, List.of(v4("{addresses: [10.0.0.1], zone: a}")))))
        .isEqualTo(
            "cluster_name: \"shop/s/http\" endpoints { locality { zone: \"a\" } lb_endpoints {"
                + " endpoint { address { socket_address { address: \"10.0.0.1\" port_value: 8080 }"
                + " } } } load_balancing_weight { value: 1 } }");
  }

  @Test
  void orderOfSlicesDoesNotMatter() {
    EndpointSlice first = v4("{addresses: [10.0.0.3], zone: b}, {addresses: [10.0.0.1], zone: b}");
    EndpointSlice second = v4("{addresses: [10.0.0.2], zone: a}, {addresses: [10.0.0.4]}");

    assertThat(localities(first, second))
        .isEqualTo(localities(second, first))
        .containsExactly(
            "(1): 10.0.0.4:8080", "a(1): 10.0.0.2:8080", "b(2): 10.0.0.1:8080 10.0.0.3:8080");
  }

  @Test
  void onlyReadyEndpointsAreUsed() {
    assertThat(
            localities(
                v4(
                    "{addresses: [10.0.0.1], conditions: {ready: false}}, {addresses: [10.0.0.2],"
                        + " conditions: {ready: true}}, {addresses: [10.0.0.3], conditions: {}}")))
        .containsExactly("(2): 10.0.0.2:8080 10.0.0.3:8080");
  }

  @Test
  void slicePortIsFoundByName() {
    EndpointSlice slice =
        slice(
            "IPv4",
            "{name: metrics, port: 9090}, {name: http, port: 8080}, {name: http, port: 8081,"
                + " protocol: UDP}",
            "{addresses: [10.0.0.1]}");

    assertThat(localities(slice)).containsExactly("(1): 10.0.0.1:8080");
    assertThat(
            localities(
                Assignments.of(
                    "x", new Service.Port("", 80, Service.Transport.TCP), List.of(slice))))
        .isEmpty();
    assertThat(
            localities(
                Assignments.of(
                    "x",
                    new Service.Port("", 80, Service.Transport.TCP),
                    List.of(slice("IPv4", "{port: 7}", "{addresses: [10.0.0.1]}")))))
        .containsExactly("(1): 10.0.0.1:7");
  }

  @Test
  void slicesMayHaveDifferentPortNumbers() {
    assertThat(
            localities(
                v4("{addresses: [10.0.0.1]}"),
                slice("IPv4", "{name: http, port: 9000}", "{addresses: [10.0.0.1, 10.0.0.2]}")))
        .containsExactly("(3): 10.0.0.1:8080 10.0.0.1:9000 10.0.0.2:9000");
  }

  @Test
  void bothIpVersionsAreUsed() {
    assertThat(
            localities(
                slice("IPv6", "{name: http, port: 8080}", "{addresses: ['fd00::1'], zone: a}"),
                v4("{addresses: [10.0.0.1], zone: a}")))
        .containsExactly("a(2): 10.0.0.1:8080 fd00::1:8080");
  }

  @Test
  void endpointInSeveralSlicesIsUsedOnce() {
    EndpointSlice old = v4("{addresses: [10.0.0.1], conditions: {ready: false}, zone: a}");
    EndpointSlice current = v4("{addresses: [10.0.0.1], zone: c}");
    EndpointSlice other = v4("{addresses: [10.0.0.1], zone: b}");

    assertThat(localities(old, current, other))
        .isEqualTo(localities(other, current, old))
        .containsExactly("b(1): 10.0.0.1:8080");
  }

  @Test
  void serviceWithoutEndpointsHasAnEmptyAssignment() {
    assertThat(Text.of(Assignments.of("shop/s/http", HTTP, List.of())))
        .isEqualTo("cluster_name: \"shop/s/http\"");
  }
}
