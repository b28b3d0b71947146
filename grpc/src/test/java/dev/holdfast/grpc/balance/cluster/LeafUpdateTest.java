// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.locality;
import static io.grpc.ConnectivityState.READY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a new version of a cluster or of its endpoints does to the connections there are. */
class LeafUpdateTest {
  private static final Cluster CLUSTER = cluster("c");

  private final Leaf leaf = new Leaf();

  private Set<Integer> ports() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      ports.add(leaf.channel.port(Leaf.call()));
    }
    return ports;
  }

  @Test
  void anotherEndpointInOneLocalityLeavesTheOthersAlone() {
    leaf.give(leaf(CLUSTER, assignment(locality("a", 0, 1), locality("b", 0, 2))));
    leaf.connectAll();
    leaf.give(leaf(CLUSTER, assignment(locality("a", 0, 1), locality("b", 0, 2, 3))));
    leaf.channel.subchannel(3).ready();
    assertThat(ports()).containsExactlyInAnyOrder(1, 2, 3);
    assertThat(leaf.channel.subchannels()).hasSize(3);
    assertThat(leaf.channel.subchannel(1).updates()).isZero();
  }

  @Test
  void anotherWeightOfALocalityIsNoNewsForItsEndpoints() {
    LocalityEndpoints a = locality("a", 0, 1);
    LocalityEndpoints b = locality("b", 0, 2);
    leaf.give(leaf(CLUSTER, assignment(a, b)));
    leaf.connectAll();
    LocalityEndpoints heavy = new LocalityEndpoints(a.locality(), 0, 1_000_000, a.endpoints());
    leaf.give(leaf(CLUSTER, assignment(heavy, b)));
    assertThat(ports()).containsExactly(1);
    assertThat(leaf.channel.subchannels()).allMatch(s -> s.updates() == 0);
  }

  @Test
  void anEndpointThatIsGoneIsLetGo() {
    leaf.give(leaf(CLUSTER, assignment(1, 2)));
    leaf.connectAll();
    leaf.give(leaf(CLUSTER, assignment(1)));
    assertThat(ports()).containsExactly(1);
    assertThat(leaf.channel.subchannel(2).isShutDown()).isTrue();
  }

  @Test
  void theSameAgainIsNoNews() {
    leaf.give(leaf(CLUSTER, assignment(1, 2)));
    leaf.connectAll();
    leaf.give(leaf(cluster("c"), assignment(1, 2)));
    assertThat(leaf.channel.subchannels()).hasSize(2).allMatch(s -> s.updates() == 0);
  }

  @Test
  void localitiesThatMoveToAnotherPriorityKeepTheirConnections() {
    leaf.give(leaf(CLUSTER, assignment(locality("a", 0, 1), locality("b", 1, 2))));
    leaf.channel.subchannel(1).fail("down");
    leaf.channel.subchannel(2).ready();
    leaf.give(leaf(CLUSTER, assignment(locality("b", 0, 2), locality("a", 1, 1))));
    assertThat(leaf.channel.state()).isEqualTo(READY);
    assertThat(ports()).containsExactly(2);
    assertThat(leaf.channel.subchannels()).hasSize(2);
    assertThat(leaf.channel.subchannel(2).isShutDown()).isFalse();
  }

  @Test
  void anotherPolicyTakesOverWhenItHasConnected() {
    leaf.give(leaf(CLUSTER, assignment(1)));
    leaf.connectAll();
    leaf.give(leaf(cluster("c", new LbPolicy.LeastRequest(2)), assignment(1)));
    assertThat(leaf.channel.state()).isEqualTo(READY);
    assertThat(leaf.channel.subchannels()).hasSize(2);
    assertThat(leaf.channel.subchannels().get(0).isShutDown()).isFalse();
    leaf.channel.subchannels().get(1).ready();
    assertThat(leaf.channel.subchannels().get(0).isShutDown()).isTrue();
    assertThat(ports()).containsExactly(1);
  }

  @Test
  void anEndpointWithSeveralAddressesIsOneSubchannel() {
    leaf.give(
        leaf(
            CLUSTER,
            assignment(
                new LocalityEndpoints(
                    new Locality("r", "z", ""),
                    0,
                    1,
                    List.of(Clusters.endpoint(1, 2), Clusters.endpoint(3))))));
    assertThat(leaf.channel.subchannels()).hasSize(2);
    assertThat(leaf.channel.subchannel(1).getAllAddresses()).hasSize(2);
  }

  @Test
  void onlyAClusterOfDnsAsksForAnotherResolution() {
    leaf.give(leaf(CLUSTER, assignment(1)));
    leaf.channel.subchannel(1).fail("down");
    assertThat(leaf.channel.refreshes()).isZero();
    Leaf dns = new Leaf();
    dns.give(leaf(Clusters.dns("d"), assignment(1)));
    dns.channel.subchannel(1).fail("down");
    assertThat(dns.channel.refreshes()).isPositive();
  }

  @Test
  void nothingIsLeftWhenItIsShutDown() {
    leaf.give(leaf(CLUSTER, assignment(locality("a", 0, 1), locality("b", 1, 2))));
    leaf.channel.subchannel(1).fail("down");
    leaf.channel.run(leaf.balancer::shutdown);
    assertThat(leaf.channel.subchannels()).allMatch(s -> s.isShutDown());
    assertThat(leaf.channel.timers()).isEmpty();
  }
}
