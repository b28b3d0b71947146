// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.endpoint.EndpointHealth;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What clusters say of sessions (gRFC A55, A75). */
class SessionAffinityTest {
  private static final String OPTIONS =
      "upstream_config { typed_config {"
          + " [TYPE/envoy.extensions.upstreams.http.v3.HttpProtocolOptions] {%s} } }";

  private static Decoded<Cluster> cluster(String fields) {
    return ClusterDecoder.decode(
        Protos.cluster(
            "name: 'c' type: EDS eds_cluster_config { eds_config { ads {} } } " + fields),
        DecodeOptions.defaults());
  }

  private static SessionAffinity sessions(String fields) {
    return Outcomes.value(cluster(fields)).sessions();
  }

  @Test
  void withoutSettingsHealthyEndpointsForAnHour() {
    assertThat(sessions("")).isEqualTo(SessionAffinity.DEFAULT);
    assertThat(SessionAffinity.DEFAULT.statuses())
        .containsExactlyInAnyOrder(EndpointHealth.UNKNOWN, EndpointHealth.HEALTHY);
    assertThat(SessionAffinity.DEFAULT.idleTimeout()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void statusesThatNoEndpointHasAreIgnored() {
    assertThat(
            sessions(
                    "common_lb_config { override_host_status { statuses: [HEALTHY, DRAINING,"
                        + " UNHEALTHY, DEGRADED] } }")
                .statuses())
        .containsExactlyInAnyOrder(EndpointHealth.HEALTHY, EndpointHealth.DRAINING);
    assertThat(sessions("common_lb_config { override_host_status {} }").statuses()).isEmpty();
  }

  @Test
  void idleTimeoutIsThatOfTheProtocolOptions() {
    assertThat(
            sessions(
                    OPTIONS.formatted(
                        "common_http_protocol_options { idle_timeout { seconds: 7 } }"))
                .idleTimeout())
        .isEqualTo(Duration.ofSeconds(7));
    assertThat(sessions(OPTIONS.formatted("common_http_protocol_options {}")))
        .isEqualTo(SessionAffinity.DEFAULT);
    assertThat(sessions(OPTIONS.formatted(""))).isEqualTo(SessionAffinity.DEFAULT);
  }

  @Test
  void problemsAreToldWithTheirPlace() {
    assertThat(
            Outcomes.problems(
                cluster(
                    OPTIONS.formatted(
                        "common_http_protocol_options { idle_timeout { seconds: -7 } }"))))
        .containsExactly(
            "upstream_config.typed_config.common_http_protocol_options.idle_timeout: -7 s"
                + " (expected: not negative)");
    assertThat(
            Outcomes.problems(
                cluster("upstream_config { typed_config {" + Protos.UNKNOWN_EXTENSION + "} }")))
        .containsExactly(
            "upstream_config.typed_config: \"acme.Unknown\" (expected:"
                + " envoy.extensions.upstreams.http.v3.HttpProtocolOptions)");
  }
}
