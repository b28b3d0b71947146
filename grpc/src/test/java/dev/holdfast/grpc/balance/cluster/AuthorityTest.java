// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Authority rewriting (gRFC A81), and what metrics are told of a pick. */
class AuthorityTest {
  private static final FakeCall REWRITTEN = FakeCall.routed(new RoutedCall("c", 0, true));

  private final Leaf leaf = new Leaf();

  @Test
  void theAuthorityIsTheHostnameOfTheEndpointIfTheRouteWantsThat() {
    leaf.give(leaf(cluster("c"), assignment(1)));
    leaf.connectAll();
    assertThat(leaf.channel.pick(REWRITTEN).getAuthorityOverride()).isEqualTo("host-1");
    assertThat(leaf.channel.pick(REWRITTEN).getStreamTracerFactory()).isNotNull();
  }

  @Test
  void otherwiseItIsLeftAlone() {
    leaf.give(leaf(cluster("c"), assignment(1)));
    leaf.connectAll();
    assertThat(leaf.channel.pick(Leaf.call()).getAuthorityOverride()).isNull();
  }

  @Test
  void anEndpointWithoutAHostnameLeavesItAlone() {
    Endpoint nameless = new Endpoint(List.of(Addresses.address(1)), 1, "");
    leaf.give(
        leaf(
            cluster("c"),
            assignment(new LocalityEndpoints(new Locality("", "", ""), 0, 1, List.of(nameless)))));
    leaf.connectAll();
    assertThat(leaf.channel.pick(REWRITTEN).getAuthorityOverride()).isNull();
    assertThat(leaf.channel.port(REWRITTEN)).isEqualTo(1);
  }

  @Test
  void metricsAreToldTheClusterAndTheLocality() {
    leaf.give(leaf(cluster("c"), assignment(1)));
    leaf.connectAll();
    FakeCall call = Leaf.call();
    leaf.channel.pick(call);
    assertThat(call.labels())
        .containsEntry("grpc.lb.backend_service", "c")
        .containsEntry("grpc.lb.locality", "{region=\"r\", zone=\"z\", sub_zone=\"\"}");
  }
}
