// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters for Envoy. */
class ClusterTest {
  @Test
  void unsetFieldsAreLeftToEnvoy() {
    assertThat(Text.of(ClusterFixtures.cluster("services: [{name: s, port: 80}]")))
        .isEqualTo(
            "name: \"shop/s/80\" type: EDS eds_cluster_config { eds_config { ads { }"
                + " initial_fetch_timeout { seconds: 5 } resource_api_version: V3 } service_name:"
                + " \"shop/s/http\" } connect_timeout { seconds: 2 } common_lb_config {"
                + " healthy_panic_threshold { } }");
  }

  @ParameterizedTest
  @CsvSource({
    "RoundRobin,ROUND_ROBIN",
    "WeightedLeastRequest,LEAST_REQUEST",
    "Random,RANDOM",
    "Cookie,RING_HASH"
  })
  void routeSetsTheLoadBalancingPolicy(String strategy, Cluster.LbPolicy policy) {
    Cluster cluster =
        ClusterFixtures.cluster(
            "services: [{name: s, port: 80}], loadBalancerPolicy: {strategy: " + strategy + "}");

    assertThat(cluster.getLbPolicy()).isEqualTo(policy);
    assertThat(cluster.getLoadBalancingPolicy().getPoliciesList())
        .extracting(one -> one.getTypedExtensionConfig().getName())
        .isEqualTo(
            policy == Cluster.LbPolicy.RANDOM
                ? List.of(
                    "envoy.load_balancing_policies.random",
                    "envoy.load_balancing_policies.round_robin")
                : List.of());
  }

  @Test
  void hashStrategiesUseRingHash() {
    Cluster.Builder cluster = Cluster.newBuilder();

    Balancing.set(cluster, LoadBalancing.REQUEST_HASH);

    assertThat(cluster.getLbPolicy()).isEqualTo(Cluster.LbPolicy.RING_HASH);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "max-connections: '7' => thresholds { max_connections { value: 7 } }",
        "max-pending-requests: '7' => thresholds { max_pending_requests { value: 7 } }",
        "max-requests: '7' => thresholds { max_requests { value: 7 } }",
        "max-retries: '7' => thresholds { max_retries { value: 7 } }",
        "per-host-max-connections: '7' => per_host_thresholds { max_connections { value: 7 } }",
        "max-connections: '0' => ",
        "max-connections: '4294967295' => thresholds { max_connections { value: 4294967295 } }",
      })
  void serviceAnnotationsSetCircuitBreakers(String annotation, @Nullable String text) {
    Service service = ClusterFixtures.service("projectcontour.io/" + annotation);

    Cluster cluster = ClusterFixtures.cluster(service, "services: [{name: s, port: 80}]");

    assertThat(cluster.hasCircuitBreakers()).isEqualTo(text != null);
    assertThat(Text.of(cluster.getCircuitBreakers())).isEqualTo(text == null ? "" : text);
  }

  @ParameterizedTest
  @CsvSource({"10s,seconds: 10", "infinity,''"})
  void routeSetsTheIdleTimeout(String written, String text) {
    Cluster cluster =
        ClusterFixtures.cluster(
            "services: [{name: s, port: 80}], timeoutPolicy: {idleConnection: " + written + "}");

    assertThat(Text.of(ClusterFixtures.http(cluster)))
        .isEqualTo(
            "common_http_protocol_options { idle_timeout { "
                + (text.isEmpty() ? "" : text + " ")
                + "} } explicit_http_config { http_protocol_options { } }");
  }

  @ParameterizedTest
  @CsvSource({"h2,true,true", "h2c,true,false", "tls,false,true"})
  void routeSetsTheProtocol(String protocol, boolean http2, boolean tls) {
    Cluster cluster =
        ClusterFixtures.cluster("services: [{name: s, port: 80, protocol: " + protocol + "}]");

    assertThat(cluster.containsTypedExtensionProtocolOptions(HttpProtocols.KEY)).isEqualTo(http2);
    if (http2) {
      assertThat(Text.of(ClusterFixtures.http(cluster)))
          .isEqualTo("explicit_http_config { http2_protocol_options { } }");
    }
    assertThat(cluster.hasTransportSocket()).isEqualTo(tls);
  }

  @Test
  void serviceAnnotationSetsTheProtocolByNameOrNumber() {
    Service service =
        ClusterFixtures.service(
            "projectcontour.io/upstream-protocol.h2c: 'http', projectcontour.io/upstream-protocol.tls:"
                + " '443'");

    assertThat(Protocols.of(null, service, service.ports().get(0))).isEqualTo(Protocol.H2C);
    assertThat(Protocols.of(null, service, service.ports().get(1))).isEqualTo(Protocol.TLS);
    assertThat(Protocols.of(Protocol.H2, service, service.ports().get(0))).isEqualTo(Protocol.H2);
    assertThat(Protocols.of(null, ClusterFixtures.service("a: b"), service.ports().get(0)))
        .isNull();
  }
}
