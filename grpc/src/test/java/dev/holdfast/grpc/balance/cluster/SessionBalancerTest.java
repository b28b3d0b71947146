// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.Session;
import dev.holdfast.grpc.security.ClusterSecurity;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.SessionAffinity;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.EndpointHealth;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancerRegistry;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where calls of sessions go (gRFC A55, A61, A75). */
class SessionBalancerTest {
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final SessionAffinity WITH_DRAINING =
      new SessionAffinity(Set.of(EndpointHealth.values()), IDLE);
  private static final SessionAffinity WITHOUT =
      new SessionAffinity(Set.of(EndpointHealth.UNKNOWN, EndpointHealth.HEALTHY), IDLE);

  private final FakeChannel channel = new FakeChannel();
  private final SessionBalancer balancer = new SessionBalancer(channel, channel::nanoTime);
  private final LeafPlanner planner =
      new LeafPlanner(
          new Environment(
              () -> new Random(1),
              LoadBalancerRegistry.getDefaultRegistry(),
              new CircuitBreakers(),
              ClusterSecurity.withoutProviders()));

  @AfterEach
  void nothingIsLeft() {
    channel.run(balancer::shutdown);
    assertThat(channel.subchannels()).allMatch(FakeSubchannel::isShutDown);
    assertThat(channel.timers()).isEmpty();
  }

  private void give(SessionAffinity affinity, LocalityEndpoints... localities) {
    Cluster plain = Clusters.cluster("c");
    LeafPlan plan =
        planner
            .plan(
                new Cluster(
                    "c", plain.discovery(), plain.lbPolicy(), 1024, null, null, null, affinity),
                Clusters.assignment(localities))
            .getValue();
    channel.give(balancer, plan.policy().config(), plan.addresses());
  }

  private static LocalityEndpoints locality(int priority, Endpoint... endpoints) {
    return new LocalityEndpoints(
        new Locality("r", "z" + priority, ""), priority, 1, List.of(endpoints));
  }

  private static Endpoint draining(int port) {
    return new Endpoint(
        List.of(Addresses.address(port)), 1, "host-" + port, "", EndpointHealth.DRAINING);
  }

  private static Session at(int... ports) {
    List<SocketAddress> addresses = new ArrayList<>();
    for (int port : ports) {
      addresses.add(Addresses.address(port));
    }
    return new Session(addresses);
  }

  private static FakeCall call(Session session) {
    return FakeCall.routed(new RoutedCall("c", 0, false, session));
  }

  private int port(Session session) {
    return channel.port(call(session));
  }

  private boolean waits(Session session) {
    PickResult result = channel.pick(call(session));
    return result.getStatus().isOk() && result.getSubchannel() == null;
  }

  private void readyAll() {
    for (FakeSubchannel subchannel : channel.subchannels()) {
      if (!subchannel.isShutDown()) {
        subchannel.ready();
      }
    }
  }

  @Test
  void callGoesToTheEndpointOfItsSession() {
    give(WITHOUT, Clusters.locality("z", 0, 1, 2, 3));
    readyAll();
    for (int i = 0; i < 5; i++) {
      Session session = at(2);
      assertThat(port(session)).isEqualTo(2);
      assertThat(session.served()).isEqualTo(at(2).wanted());
    }
  }

  @Test
  void callsWithoutASessionGetThePickThatIsThereAnyway() {
    give(WITHOUT, Clusters.locality("z", 0, 1));
    readyAll();
    FakeCall call = FakeCall.routed(new RoutedCall("c", 0, false, null));
    assertThat(channel.pick(call)).isSameAs(channel.pick(call));
  }

  @Test
  void newSessionIsBalancedAndLearnsWhereItIs() {
    give(WITHOUT, Clusters.locality("z", 0, 1, 2));
    readyAll();
    Session session = at();
    int port = port(session);
    assertThat(session.served()).isEqualTo(at(port).wanted());
    assertThat(port(at())).as("another one").isNotEqualTo(port);
  }

  @Test
  void sessionWhoseEndpointIsGoneOrFailsMoves() {
    give(WITHOUT, Clusters.locality("z", 0, 1, 2));
    readyAll();
    assertThat(port(at(9))).isIn(1, 2);
    channel.subchannel(1).fail("down");
    Session session = at(1);
    assertThat(port(session)).isEqualTo(2);
    assertThat(session.served()).isEqualTo(at(2).wanted());
    channel.subchannel(1).connecting();
    assertThat(port(at(1))).as("while it tries again").isEqualTo(2);
    channel.subchannel(1).ready();
    assertThat(port(at(1))).isEqualTo(1);
  }

  @Test
  void callWaitsForAnEndpointThatConnectsAndIsThenSentThere() {
    give(WITHOUT, Clusters.locality("z", 0, 1, 2));
    channel.subchannel(1).ready();
    channel.subchannel(2).connecting();
    assertThat(waits(at(2))).isTrue();
    int reports = channel.reports();
    channel.subchannel(2).ready();
    assertThat(channel.reports()).as("calls that wait look again").isGreaterThan(reports);
    assertThat(port(at(2))).isEqualTo(2);
  }

  @Test
  void endpointThatIsIdleIsConnectedTo() {
    give(WITHOUT, Clusters.locality("z", 0, 1, 2));
    readyAll();
    FakeSubchannel two = channel.subchannel(2);
    two.idle();
    int requests = two.requests();
    assertThat(waits(at(2))).isTrue();
    assertThat(two.requests()).isGreaterThan(requests);
    two.ready();
    assertThat(port(at(2))).isEqualTo(2);
  }

  @Test
  void sessionCanBeInAPriorityThatIsNotInUse() {
    give(WITHOUT, Clusters.locality("a", 0, 1), Clusters.locality("b", 1, 2));
    readyAll();
    assertThat(channel.subchannels()).hasSize(1);
    assertThat(waits(at(2))).isTrue();
    FakeSubchannel own = channel.subchannel(2);
    assertThat(own.requests()).isOne();
    own.ready();
    assertThat(port(at(2))).isEqualTo(2);
    assertThat(port(at())).as("others stay where they are").isEqualTo(1);
  }

  @Test
  void connectionThatNoSessionHasUsedForLongIsClosed() {
    give(WITHOUT, Clusters.locality("a", 0, 1), Clusters.locality("b", 1, 2));
    readyAll();
    assertThat(waits(at(2))).isTrue();
    FakeSubchannel own = channel.subchannel(2);
    own.ready();
    channel.advance(IDLE.minusSeconds(1));
    assertThat(port(at(2))).isEqualTo(2);
    channel.advance(IDLE.minusSeconds(1));
    assertThat(own.isShutDown()).as("used in between").isFalse();
    channel.advance(Duration.ofSeconds(10));
    assertThat(own.isShutDown()).isTrue();
    assertThat(waits(at(2))).as("and made again if needed").isTrue();
    assertThat(channel.subchannel(2)).isNotSameAs(own);
  }

  @Test
  void endpointThatBeginsToDrainKeepsItsSessionsAndGetsNoNewOnes() {
    give(WITH_DRAINING, Clusters.locality("z0", 0, 1, 2));
    readyAll();
    FakeSubchannel two = channel.subchannel(2);
    assertThat(port(at(2))).isEqualTo(2);
    give(WITH_DRAINING, locality(0, Clusters.endpoint(1), draining(2)));
    assertThat(two.isShutDown()).as("the connection stays").isFalse();
    assertThat(port(at(2))).isEqualTo(2);
    for (int i = 0; i < 4; i++) {
      assertThat(port(at())).isEqualTo(1);
    }
    give(WITH_DRAINING, Clusters.locality("z0", 0, 1));
    assertThat(two.isShutDown()).as("until the endpoint is gone").isTrue();
    assertThat(port(at(2))).isEqualTo(1);
  }

  @Test
  void endpointThatDrainsWhereItMustNotBeUsedLosesItsSessions() {
    give(WITHOUT, Clusters.locality("z0", 0, 1, 2));
    readyAll();
    assertThat(port(at(2))).isEqualTo(2);
    give(WITHOUT, locality(0, Clusters.endpoint(1), draining(2)));
    assertThat(channel.subchannel(2).isShutDown()).isTrue();
    assertThat(port(at(2))).isEqualTo(1);
  }

  @Test
  void clusterWithOnlyEndpointsThatDrainServesSessionsAlone() {
    give(WITH_DRAINING, locality(0, draining(1)));
    assertThat(channel.error(call(at())).getDescription()).contains("all endpoints are draining");
    assertThat(waits(at(1))).isTrue();
    channel.subchannel(1).ready();
    assertThat(port(at(1))).isEqualTo(1);
  }

  @Test
  void clusterThatAllowsNoStatusHasNoSessions() {
    give(new SessionAffinity(Set.of(), IDLE), Clusters.locality("z", 0, 1, 2));
    readyAll();
    assertThat(List.of(port(at(1)), port(at(1)))).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void endpointWithSeveralAddressesIsFoundByAnyAndTheUsedOneComesFirst() {
    give(WITHOUT, locality(0, Clusters.endpoint(1), Clusters.endpoint(2, 3)));
    readyAll();
    Session session = at(3);
    assertThat(port(session)).isEqualTo(2);
    assertThat(session.served()).isEqualTo(at(2, 3).wanted());
    assertThat(port(at(8, 9, 2))).isEqualTo(2);
  }

  @Test
  void whatAPolicyLetsGoOfStaysWhileSessionsUseIt() {
    give(WITHOUT, Clusters.locality("z0", 0, 1, 2));
    readyAll();
    FakeSubchannel two = channel.subchannel(2);
    assertThat(port(at(2))).isEqualTo(2);
    give(WITHOUT, Clusters.locality("z0", 0, 1), Clusters.locality("z1", 1, 2));
    assertThat(two.isShutDown()).as("moved to a priority that is not in use").isFalse();
    assertThat(port(at(2))).isEqualTo(2);
    assertThat(port(at())).isEqualTo(1);
    channel.advance(IDLE.plusSeconds(5));
    assertThat(two.isShutDown()).isTrue();
  }

  @Test
  void withoutSessionsNothingIsKept() {
    give(WITHOUT, Clusters.locality("z0", 0, 1, 2));
    readyAll();
    assertThat(channel.port(FakeCall.routed(new RoutedCall("c", 0, false)))).isIn(1, 2);
    FakeSubchannel two = channel.subchannel(2);
    give(WITHOUT, Clusters.locality("z0", 0, 1), Clusters.locality("z1", 1, 2));
    assertThat(two.isShutDown()).isTrue();
    assertThat(channel.timers()).isEmpty();
  }
}
