// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import org.junit.jupiter.api.Test;

class ClusterProblemsTest {

  @Test
  void loadsAreReportedToTheServerItself() {
    assertThat(Outcomes.value(Clusters.eds("lrs_server { self {} }")).loadReporting())
        .isEqualTo(new LoadReporting(LoadReporting.UNNAMED, ReportedMetrics.NONE));
    assertThat(Outcomes.value(Clusters.eds("")).loadReporting()).isNull();
    assertThat(Outcomes.problems(Clusters.eds("lrs_server { ads {} }")))
        .containsExactly("lrs_server: a server of its own (expected: self, or not set)");
  }

  @Test
  void allProblemsAreListedInStableOrder() {
    Decoded<Cluster> decoded =
        Clusters.decode(
            """
            type: EDS lb_policy: RANDOM lrs_server {}
            transport_socket_matches { name: 'm' } transport_socket { name: 'alts' }
            outlier_detection { interval { seconds: -1 } }
            """);

    assertThat(decoded.name()).isNull();
    assertThat(Outcomes.problems(decoded))
        .containsExactly(
            "name: not set (expected: the name of the resource)",
            "eds_cluster_config.eds_config: neither ads nor self (expected: one of them)",
            "lb_policy: RANDOM (expected: ROUND_ROBIN, RING_HASH or LEAST_REQUEST)",
            "lrs_server: a server of its own (expected: self, or not set)",
            "transport_socket_matches: set (expected: transport_socket)",
            "transport_socket.name: \"alts\" (expected: envoy.transport_sockets.tls)",
            "outlier_detection.interval: -1 s (expected: not negative)");
  }

  @Test
  void undecodableBytesAreSaidToBe() {
    Decoded<Cluster> decoded =
        ClusterDecoder.decode(ByteString.fromHex("0a"), DecodeOptions.defaults());

    assertThat(decoded.name()).isNull();
    assertThat(Outcomes.kinds(decoded))
        .extracting(Problem::kind)
        .containsExactly(Problem.Kind.UNDECODABLE);
  }

  @Test
  void fieldsThatOnlyEnvoyKnowsAreIgnored() {
    assertThat(
            Outcomes.value(
                Clusters.eds(
                    "connect_timeout { seconds: -5 } dns_lookup_family: V4_ONLY alt_stat_name: 'x'")))
        .isEqualTo(Outcomes.value(Clusters.eds("")));
  }

  @Test
  void typeUrlIsThatOfTheMessage() {
    assertThat(ClusterDecoder.TYPE_URL)
        .endsWith(
            "/" + io.envoyproxy.envoy.config.cluster.v3.Cluster.getDescriptor().getFullName());
  }
}
