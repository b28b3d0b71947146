// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static dev.holdfast.interop.dataplane.Stage.awaitBackend;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
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

  /** A channel to a cluster for which this is served, too. */
  private ManagedChannel channelTo(Message... more) {
    stage.serve();
    stage.ads.set(more);
    return stage.channel();
  }

  private static void assertAllReach(Backend backend, ManagedChannel channel) {
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys(backend.name());
  }

  /** Calls reach both of two; once one is gone the other, and once it is back it again. */
  private static void assertStandsIn(Backend one, Backend mortal, ManagedChannel channel) {
    awaitBackend(channel, one);
    awaitBackend(channel, mortal);
    mortal.stop();
    Stage.await("only one", () -> Rpc.share(channel, 20).getOrDefault(one.name(), 0) == 20);
    mortal.restart();
    awaitBackend(channel, mortal);
  }

  /** Calls reach the first while it lives, and the second while it does not. */
  private void assertFirstIsPreferred(ManagedChannel channel) {
    assertAllReach(first, channel);
    first.stop();
    awaitBackend(channel, second);
    assertAllReach(second, channel);
    first.restart();
    awaitBackend(channel, first);
    assertAllReach(first, channel);
  }

  @Test
  void prioritiesAreTriedInTurn() {
    assertFirstIsPreferred(
        channelTo(
            Xds.endpoints("c", Xds.locality("a", 0, 1, first), Xds.locality("b", 1, 1, second))));
  }

  @Test
  void localitiesOfOnePriorityStandInForEachOther() {
    assertStandsIn(
        second,
        first,
        channelTo(
            Xds.endpoints("c", Xds.locality("a", 0, 1, first), Xds.locality("b", 0, 1, second))));
  }

  @Test
  void endpointsOfOneLocalityStandInForEachOther() {
    stage.serve(first, second);
    assertStandsIn(first, second, stage.channel());
  }

  /** gRFC A61: the addresses of one endpoint, usually one of IPv4 and one of IPv6. */
  @Test
  void addressesOfOneEndpointAreTriedInTurn() {
    ManagedChannel channel =
        channelTo(
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
    assertAllReach(first, channel);
    first.stop();
    awaitBackend(channel, second);
    assertAllReach(second, channel);
  }

  private static String address(Backend backend) {
    return "{\"socket_address\": {\"address\": \"127.0.0.1\", \"port_value\": %d}}"
        .formatted(backend.port());
  }

  @Test
  void aggregateClustersAreTriedInTheOrderOfTheirMembers() {
    assertFirstIsPreferred(
        channelTo(
            Xds.aggregate("c", "c1", "c2"),
            Resources.edsCluster("c1"),
            Resources.edsCluster("c2"),
            Resources.endpoints("c1", first.port()),
            Resources.endpoints("c2", second.port())));
  }

  @Test
  void memberThatDoesNotExistIsSkipped() {
    stage.ads.error(TypeUrls.CLUSTER, "c1", 5, "no such service");
    assertAllReach(
        second,
        channelTo(
            Xds.aggregate("c", "c1", "c2"),
            Resources.edsCluster("c2"),
            Resources.endpoints("c2", second.port())));
  }

  @Test
  void localitiesGetCallsByTheirWeights() {
    ManagedChannel channel =
        channelTo(
            Xds.endpoints("c", Xds.locality("a", 0, 3, first), Xds.locality("b", 0, 1, second)));
    awaitBackend(channel, second);
    awaitBackend(channel, first);
    // 250 expected, with a standard deviation of 13.7: five of them either way.
    assertThat(Rpc.share(channel, 1000).get("second")).isBetween(181, 319);
  }
}
