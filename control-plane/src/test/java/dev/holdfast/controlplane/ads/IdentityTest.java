// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.ads.TestResources.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.NamePattern;
import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.controlplane.ads.fleet.ConnectedFleet;
import dev.holdfast.controlplane.ads.fleet.ProxyGroups;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client gets no node id, secret or vote that its certificate does not entitle it to. */
class IdentityTest {
  private static final String EDGE = "spiffe://test/edge";
  private static final String PLAIN = "spiffe://test/plain";
  private static final String APPLICATION = "spiffe://test/application";

  private final AdsHarness ads =
      new AdsHarness(
          new AccessPolicy(
              List.of(
                  rule(EDGE, AccessRule.Role.PROXY, true),
                  rule(PLAIN, AccessRule.Role.PROXY, false),
                  rule(APPLICATION, AccessRule.Role.APPLICATION, false))));

  private static AccessRule rule(String identity, AccessRule.Role role, boolean trusted) {
    return new AccessRule(
        new NamePattern(identity),
        role,
        List.of(new NamePattern("edge-*")),
        List.of(),
        List.of(),
        /* vote= */ trusted,
        /* secrets= */ trusted);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anotherNodeIsRefused(Protocol protocol) {
    ads.serve(cluster("one", "a"));

    FakeXdsStream stranger = ads.envoy(protocol, "inner-1").as(EDGE).all(ResourceType.CLUSTER);
    FakeXdsStream nobody = ads.envoy(protocol, "edge-1").all(ResourceType.CLUSTER);

    assertThat(status(stranger).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(status(stranger).getDescription())
        .isEqualTo(EDGE + " may not be the node 'inner-1' (identity " + EDGE + ")");
    assertThat(status(nobody).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(ads.server.proxies()).isEmpty();
    assertThat(ads.server.refusals().byLimit()).containsEntry("identity", 2L);
    assertThat(ads.observed).allMatch(line -> line.startsWith("refused "));
  }

  private static Status status(FakeXdsStream stream) {
    return Objects.requireNonNull(stream.ended);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aPortThatOthersCanListenInOnServesNoSecrets(Protocol protocol) {
    AdsHarness plain = new AdsHarness(AccessPolicy.withoutSecrets());
    plain.serve(cluster("one", "a"), secret("key", "a"));
    FakeXdsStream proxy = plain.envoy(protocol, "edge-1");

    proxy.all(ResourceType.CLUSTER).acceptAll();
    proxy.subscribe(ResourceType.SECRET, "key").acceptAll();

    assertThat(proxy.running(ResourceType.CLUSTER).contains("one")).isTrue();
    assertThat(proxy.running(ResourceType.SECRET).contains("key")).isFalse();
    assertThat(AccessPolicy.withoutSecrets().withholdsSecrets()).isTrue();
    assertThat(AccessPolicy.NONE.withholdsSecrets()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void secretsAreOnlyForThoseWhoMayHaveThem(Protocol protocol) {
    ads.serve(cluster("one", "a"), secret("key", "a"));
    FakeXdsStream edge = ads.envoy(protocol, "edge-1").as(EDGE).from("10.0.0.1:1");
    FakeXdsStream plain = ads.envoy(protocol, "edge-2").as(PLAIN).from("10.0.0.2:1");

    for (FakeXdsStream each : List.of(edge, plain)) {
      each.all(ResourceType.CLUSTER).acceptAll();
      each.subscribe(ResourceType.SECRET, "key").acceptAll();
    }
    assertThat(edge.running(ResourceType.SECRET).contains("key")).isTrue();
    assertThat(plain.running(ResourceType.CLUSTER).contains("one")).isTrue();
    assertThat(plain.running(ResourceType.SECRET).isEmpty()).isTrue();

    ads.serve(secret("key", "b"));
    edge.acceptAll();
    plain.acceptAll();
    assertThat(plain.running(ResourceType.SECRET).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anApplicationGetsNoListenersOfProxiesAndNoSecrets(Protocol protocol) {
    ads.serve(cluster("one", "a"), listener("ingress", "a"), secret("key", "a"));
    FakeXdsStream application =
        new FakeXdsStream(ads, protocol, "edge-9", "gRPC Java").as(APPLICATION);

    application.all(ResourceType.LISTENER).acceptAll();
    application.subscribe(ResourceType.SECRET, "key").acceptAll();
    application.subscribe(ResourceType.CLUSTER, "one").acceptAll();

    assertThat(application.running(ResourceType.LISTENER).isEmpty()).isTrue();
    assertThat(application.running(ResourceType.SECRET).isEmpty()).isTrue();
    assertThat(application.running(ResourceType.CLUSTER).contains("one")).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyWithoutAVoteIsServedAndCountsNowhere(Protocol protocol) {
    ads.serve(cluster("one", "a"));
    ads.envoy(protocol, "edge-1").as(EDGE).from("10.0.0.1:1").all(ResourceType.CLUSTER).acceptAll();
    FakeXdsStream plain = ads.envoy(protocol, "edge-2").as(PLAIN).from("10.0.0.2:1");
    plain.all(ResourceType.CLUSTER).acceptAll();

    ConnectedFleet fleet = new ConnectedFleet(ads.server, () -> {});
    assertThat(fleet.members()).extracting(ProxyFleet.Member::node).containsExactly("edge-1");
    assertThat(fleet.member("edge-2")).isNull();
    assertThat(ads.server.mayVote("edge-2")).isFalse();
    assertThat(
            ProxyGroups.of(ads.server, node -> ads.server.mayVote(node.id())).groups().stream()
                .mapToInt(ProxyGroups.Group::size)
                .sum())
        .isEqualTo(1);

    ads.serve(cluster("one", "b"));
    plain.nack(plain.peek(), "no");
    assertThat(fleet.refusing()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aClientWithOtherRightsIsAnotherProxyAlsoWithTheSameNodeId(Protocol protocol) {
    ads.serve(cluster("one", "a"), secret("key", "a"));
    FakeXdsStream edge = ads.envoy(protocol, "edge-1").as(EDGE);
    edge.all(ResourceType.CLUSTER).acceptAll();
    FakeXdsStream impostor = ads.envoy(protocol, "edge-1").as(PLAIN);
    impostor.all(ResourceType.CLUSTER).acceptAll();
    impostor.subscribe(ResourceType.SECRET, "key").acceptAll();

    assertThat(ads.server.proxies()).hasSize(2);
    assertThat(ads.server.mayVote("edge-1")).isTrue();
    assertThat(ads.server.mayVote("edge-1#2")).isFalse();
    assertThat(impostor.running(ResourceType.SECRET).isEmpty()).isTrue();
  }
}
