// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {

  @Test
  void minimalEdsClusterHasAllDefaults() {
    assertThat(Outcomes.value(Clusters.eds("")))
        .isEqualTo(
            new Cluster("c", new Discovery.Eds("c"), LbPolicy.DEFAULT, 1024, null, null, null));
  }

  @Test
  void serviceNameGoesBeforeTheClustersOwn() {
    assertThat(
            discovery(
                "name: 'c' type: EDS eds_cluster_config { eds_config { self {} } service_name: 's'"
                    + " }"))
        .isEqualTo(new Discovery.Eds("s"));
  }

  @Test
  void equalNamesShareOneString() {
    Cluster cluster =
        Outcomes.value(
            Clusters.decode(
                "name: 'c' type: EDS eds_cluster_config { eds_config { ads {} } service_name: 'c' }"));

    assertThat(((Discovery.Eds) cluster.discovery()).serviceName()).isSameAs(cluster.name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "eds_cluster_config {}", "eds_cluster_config { eds_config { path: '/f' } }"})
  void edsMustComeOverAdsOrSelf(String config) {
    assertThat(Outcomes.problems(Clusters.decode("name: 'c' type: EDS " + config)))
        .containsExactly(
            "eds_cluster_config.eds_config: neither ads nor self (expected: one of them)");
  }

  @Test
  void xdstpNameNeedsAServiceName() {
    String eds = " type: EDS eds_cluster_config { eds_config { ads {} } ";

    assertThat(Outcomes.problems(Clusters.decode("name: 'XDSTP://a/t/c'" + eds + "}")))
        .containsExactly(
            "eds_cluster_config.service_name: not set (expected: set whenever the cluster has an"
                + " xdstp name)");
    assertThat(discovery("name: 'xdstp://a/t/c'" + eds + "service_name: 'xdstp://a/u/e' }"))
        .isEqualTo(new Discovery.Eds("xdstp://a/u/e"));
  }

  @Test
  void logicalDnsHasTheHostAndPortToResolve() {
    Discovery discovery = discovery(dns("address: 'db.example' port_value: 5432"));

    assertThat(discovery).isEqualTo(new Discovery.LogicalDns("db.example", 5432));
    assertThat(((Discovery.LogicalDns) discovery).hostAndPort()).isEqualTo("db.example:5432");
  }

  @Test
  void logicalDnsMustHaveExactlyOneEndpoint() {
    assertThat(Outcomes.problems(Clusters.decode("name: 'c' type: LOGICAL_DNS")))
        .containsExactly("load_assignment: not set (expected: the host to resolve)");
    assertThat(
            Outcomes.problems(
                Clusters.decode(
                    "name: 'c' type: LOGICAL_DNS load_assignment { endpoints {} endpoints {} }")))
        .containsExactly("load_assignment.endpoints: 2 localities (expected: exactly 1)");
    assertThat(
            Outcomes.problems(
                Clusters.decode("name: 'c' type: LOGICAL_DNS load_assignment { endpoints {} }")))
        .containsExactly(
            "load_assignment.endpoints[0].lb_endpoints: 0 endpoints (expected: exactly 1)");
    assertThat(
            Outcomes.problems(
                Clusters.decode(
                    "name: 'c' type: LOGICAL_DNS load_assignment { endpoints { lb_endpoints {} }"
                        + " }")))
        .containsExactly(
            "load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address: not set"
                + " (expected: the host to resolve)");
  }

  @Test
  void logicalDnsAddressMustBeWhole() {
    String at = "load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address.";

    assertThat(Outcomes.problems(Clusters.decode(dns("resolver_name: 'r' named_port: 'p'"))))
        .containsExactly(
            at + "address: empty (expected: the host to resolve)",
            at + "resolver_name: \"r\" (expected: not set)",
            at + "port_value: not set (expected: a port number)");
    assertThat(Outcomes.problems(Clusters.decode(dns("address: 'h' port_value: 65536"))))
        .containsExactly(at + "port_value: 65536 (expected: at most 65535)");
  }

  @Test
  void aggregateListsItsClustersInOrder() {
    assertThat(discovery(aggregate("clusters: ['b', 'a']")))
        .isEqualTo(new Discovery.Aggregate(List.of("b", "a")));
  }

  @Test
  void aggregateMustHaveAtLeastOneCluster() {
    assertThat(Outcomes.problems(Clusters.decode(aggregate(""))))
        .containsExactly(
            "cluster_type.typed_config.clusters: empty (expected: at least one cluster)");
  }

  @Test
  void lbPolicyOfAnAggregateIsIgnored() {
    assertThat(
            Outcomes.value(
                    Clusters.decode(aggregate("clusters: 'a'") + " lb_policy: CLUSTER_PROVIDED"))
                .lbPolicy())
        .isEqualTo(LbPolicy.DEFAULT);
  }

  @Test
  void otherTypesAreRejected() {
    assertThat(Outcomes.problems(Clusters.decode("name: 'c' type: STATIC")))
        .containsExactly("type: STATIC (expected: EDS or LOGICAL_DNS)");
    assertThat(Outcomes.problems(Clusters.decode("name: 'c' type: 77")))
        .containsExactly("type: UNRECOGNIZED (expected: EDS or LOGICAL_DNS)");
    assertThat(Outcomes.problems(Clusters.decode("name: 'c'")))
        .containsExactly("type: not set (expected: EDS, LOGICAL_DNS or a cluster_type)");
    assertThat(
            Outcomes.problems(
                Clusters.decode(
                    "name: 'c' cluster_type { typed_config {" + Protos.UNKNOWN_EXTENSION + "} }")))
        .containsExactly(
            "cluster_type.typed_config: \"acme.Unknown\" (expected:"
                + " envoy.extensions.clusters.aggregate.v3.ClusterConfig)");
  }

  @Test
  void undecodableClusterConfigIsReported() {
    assertThat(
            Outcomes.problems(
                Clusters.decode(
                    "name: 'c' cluster_type { typed_config { type_url:"
                        + " 'TYPE/envoy.extensions.clusters.aggregate.v3.ClusterConfig' value:"
                        + " '\\x0a' } }")))
        .singleElement()
        .asString()
        .startsWith("cluster_type.typed_config: not a message of the type that it claims to be: ");
  }

  @Test
  void eachKindHasItsBranch() {
    assertThat(kind(discovery("name: 'c' type: EDS eds_cluster_config { eds_config { ads {} } }")))
        .isEqualTo("eds");
    assertThat(kind(discovery(dns("address: 'h' port_value: 1")))).isEqualTo("dns");
    assertThat(kind(discovery(aggregate("clusters: 'a'")))).isEqualTo("aggregate");
  }

  private static String kind(Discovery discovery) {
    return discovery.<String>fold(eds -> "eds", dns -> "dns", aggregate -> "aggregate");
  }

  private static Discovery discovery(String text) {
    return Outcomes.value(Clusters.decode(text)).discovery();
  }

  private static String dns(String socketAddress) {
    return "name: 'c' type: LOGICAL_DNS load_assignment { endpoints { lb_endpoints { endpoint {"
        + " address { socket_address {"
        + socketAddress
        + "} } } } } }";
  }

  private static String aggregate(String config) {
    return "name: 'c' cluster_type { name: 'envoy.clusters.aggregate' typed_config {"
        + " [TYPE/envoy.extensions.clusters.aggregate.v3.ClusterConfig] {"
        + config
        + "} } }";
  }
}
