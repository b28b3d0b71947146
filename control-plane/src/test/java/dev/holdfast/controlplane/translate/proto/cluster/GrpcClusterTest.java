// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problems;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.ClusterDecoder;
import dev.holdfast.xds.resources.cluster.Discovery;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Envoy's clusters are valid for gRPC clients as well. */
class GrpcClusterTest {
  private static Decoded<Cluster> decoded(ClusterSpec spec) {
    return ClusterDecoder.decode(
        ClusterFixtures.cluster(spec).toByteString(), DecodeOptions.defaults());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "services: [{name: s, port: 80}]",
        "services: [{name: s, port: 80, protocol: h2c}]",
        "services: [{name: s, port: 80}], loadBalancerPolicy: {strategy: WeightedLeastRequest}",
        "services: [{name: s, port: 80}], loadBalancerPolicy: {strategy: Random}",
        "services: [{name: s, port: 80}], loadBalancerPolicy: {strategy: Cookie}",
        "services: [{name: s, port: 80}], healthCheckPolicy: {path: /h}",
        "services: [{name: s, port: 80}], timeoutPolicy: {idleConnection: 1s}",
      })
  void clientAcceptsTheCluster(String route) {
    Service service = ClusterFixtures.service("projectcontour.io/max-requests: '9'");
    ClusterSpec spec = ClusterFixtures.spec(service, YamlFixtures.route(route));

    assertThat(spec.usesTls()).isFalse();
    Cluster cluster =
        decoded(spec)
            .fold(
                Decoded.Valid::value,
                invalid -> {
                  throw new AssertionError(Problems.describe(invalid.problems()));
                });
    assertThat(cluster.discovery()).isEqualTo(new Discovery.Eds("shop/s/http"));
    assertThat(cluster.maxRequests()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls", "h2"})
  void clientRejectsUpstreamTlsAndTheSpecSaysSo(String protocol) {
    ClusterSpec spec =
        ClusterFixtures.spec(
            ClusterFixtures.service(""),
            YamlFixtures.route("services: [{name: s, port: 80, protocol: " + protocol + "}]"));

    assertThat(spec.usesTls()).isTrue();
    assertThat(decoded(spec)).isInstanceOf(Decoded.Invalid.class);
  }
}
