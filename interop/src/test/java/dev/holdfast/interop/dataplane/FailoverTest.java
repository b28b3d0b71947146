// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static dev.holdfast.interop.dataplane.Stage.awaitBackend;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import io.grpc.ManagedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Calls move on when servers die, and back when they return. */
@Execution(ExecutionMode.CONCURRENT)
class FailoverTest {
  private final Stage stage = new Stage();
  private final Backend first = stage.backend("first");
  private final Backend second = stage.backend("second");

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void prioritiesAreTriedInTurn() {
    stage.serve();
    stage.ads.set(
        Xds.endpoints("c", Xds.locality("a", 0, 1, first), Xds.locality("b", 1, 1, second)));
    ManagedChannel channel = stage.channel();
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("first");
    first.stop();
    awaitBackend(channel, second);
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("second");
    first.restart();
    awaitBackend(channel, first);
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("first");
  }

  @Test
  void localitiesOfOnePriorityStandInForEachOther() {
    stage.serve();
    stage.ads.set(
        Xds.endpoints("c", Xds.locality("a", 0, 1, first), Xds.locality("b", 0, 1, second)));
    ManagedChannel channel = stage.channel();
    awaitBackend(channel, second);
    awaitBackend(channel, first);
    first.stop();
    Stage.await("only the second", () -> Rpc.share(channel, 20).getOrDefault("second", 0) == 20);
    first.restart();
    awaitBackend(channel, first);
  }

  @Test
  void endpointsOfOneLocalityStandInForEachOther() {
    stage.serve(first, second);
    ManagedChannel channel = stage.channel();
    awaitBackend(channel, second);
    awaitBackend(channel, first);
    second.stop();
    Stage.await("only the first", () -> Rpc.share(channel, 20).getOrDefault("first", 0) == 20);
    second.restart();
    awaitBackend(channel, second);
  }

  /** gRFC A61: the addresses of one endpoint, usually one of IPv4 and one of IPv6. */
  @Test
  void addressesOfOneEndpointAreTriedInTurn() {
    stage.serve();
    stage.ads.set(
        Resources.clusterLoadAssignment(
            """
            {
              "cluster_name": "c",
              "endpoints": [{
                "locality": {"region": "r", "zone": "z"}, "load_balancing_weight": 1,
                "lb_endpoints": [{"endpoint": {
                  "address": %s,
                  "additional_addresses": [{"address": %s}]
                }}]
              }]
            }
            """
                .formatted(address(first), address(second))));
    ManagedChannel channel = stage.channel();
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("first");
    first.stop();
    awaitBackend(channel, second);
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("second");
  }

  private static String address(Backend backend) {
    return "{\"socket_address\": {\"address\": \"127.0.0.1\", \"port_value\": %d}}"
        .formatted(backend.port());
  }

  @Test
  void aggregateClustersAreTriedInTheOrderOfTheirMembers() {
    stage.serve();
    stage.ads.set(
        Xds.aggregate("c", "c1", "c2"),
        Resources.edsCluster("c1"),
        Resources.edsCluster("c2"),
        Resources.endpoints("c1", first.port()),
        Resources.endpoints("c2", second.port()));
    ManagedChannel channel = stage.channel();
    assertThat(Rpc.share(channel, 10)).containsOnlyKeys("first");
    first.stop();
    awaitBackend(channel, second);
    first.restart();
    awaitBackend(channel, first);
  }

  @Test
  void memberThatDoesNotExistIsSkipped() {
    stage.serve();
    stage.ads.set(
        Xds.aggregate("c", "c1", "c2"),
        Resources.edsCluster("c2"),
        Resources.endpoints("c2", second.port()));
    stage.ads.error(TypeUrls.CLUSTER, "c1", 5, "no such service");
    assertThat(Rpc.share(stage.channel(), 10)).containsOnlyKeys("second");
  }

  @Test
  void localitiesGetCallsByTheirWeights() {
    stage.serve();
    stage.ads.set(
        Xds.endpoints("c", Xds.locality("a", 0, 3, first), Xds.locality("b", 0, 1, second)));
    ManagedChannel channel = stage.channel();
    awaitBackend(channel, second);
    awaitBackend(channel, first);
    // 250 expected, with a standard deviation of 13.7: five of them either way.
    assertThat(Rpc.share(channel, 1000).get("second")).isBetween(181, 319);
  }
}
