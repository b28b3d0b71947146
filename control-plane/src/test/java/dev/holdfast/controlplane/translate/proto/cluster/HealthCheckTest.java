// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.TcpProxy;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.type.v3.CodecClientType;
import org.junit.jupiter.api.Test;

/** Health checks. */
class HealthCheckTest {
  @Test
  void defaultsAreThoseOfContour() {
    Cluster cluster =
        ClusterFixtures.cluster(
            "services: [{name: s, port: 80}], healthCheckPolicy: {path: /healthy}");

    assertThat(cluster.getHealthChecksList().stream().map(Text::of))
        .containsExactly(
            "timeout { seconds: 2 } interval { seconds: 10 } unhealthy_threshold { value: 3 }"
                + " healthy_threshold { value: 2 } http_health_check { host:"
                + " \"contour-envoy-healthcheck\" path: \"/healthy\" }");
    assertThat(cluster.getIgnoreHealthOnHostRemoval()).isTrue();
  }

  @Test
  void writtenFieldsAreUsed() {
    Cluster cluster =
        ClusterFixtures.cluster(
            "services: [{name: s, port: 80}], healthCheckPolicy: {path: /h, host: h.example,"
                + " intervalSeconds: 4, timeoutSeconds: 3, unhealthyThresholdCount: 6,"
                + " healthyThresholdCount: 5, expectedStatuses: [{start: 200, end: 300}, {start:"
                + " 404, end: 405}]}");

    assertThat(Text.of(cluster.getHealthChecks(0)))
        .isEqualTo(
            "timeout { seconds: 3 } interval { seconds: 4 } unhealthy_threshold { value: 6 }"
                + " healthy_threshold { value: 5 } http_health_check { host: \"h.example\" path:"
                + " \"/h\" expected_statuses { start: 200 end: 300 } expected_statuses { start:"
                + " 404 end: 405 } }");
  }

  @Test
  void healthCheckUsesTheProtocolOfTheService() {
    Cluster cluster =
        ClusterFixtures.cluster(
            "services: [{name: s, port: 80, protocol: h2c}], healthCheckPolicy: {path: /h}");

    assertThat(cluster.getHealthChecks(0).getHttpHealthCheck().getCodecClientType())
        .isEqualTo(CodecClientType.HTTP2);
  }

  @Test
  void tcpHealthCheckConnects() {
    HttpProxy proxy =
        YamlFixtures.proxy(
            """
            virtualhost: {fqdn: a.example, tls: {passthrough: true}}
            tcpproxy:
              services: [{name: s, port: 80}]
              healthCheckPolicy: {intervalSeconds: 1}
            """);
    TcpProxy tcp = proxy.tcpProxy();
    if (tcp == null || tcp.healthCheck() == null) {
      throw new AssertionError("no health check");
    }

    assertThat(Text.of(HealthChecks.of(tcp.healthCheck(), CodecClientType.HTTP1)))
        .isEqualTo(
            "timeout { seconds: 2 } interval { seconds: 1 } unhealthy_threshold { value: 3 }"
                + " healthy_threshold { value: 2 } tcp_health_check { }");
  }

  @Test
  void noPolicyMeansNoHealthCheck() {
    Cluster cluster = ClusterFixtures.cluster("services: [{name: s, port: 80}]");

    assertThat(cluster.getHealthChecksList()).isEmpty();
    assertThat(cluster.getIgnoreHealthOnHostRemoval()).isFalse();
  }
}
