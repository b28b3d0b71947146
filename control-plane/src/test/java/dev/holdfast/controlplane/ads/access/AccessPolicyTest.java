// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.holdfast.base.NamePattern;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which client may be which node. */
class AccessPolicyTest {
  private final AccessPolicy policy =
      new AccessPolicy(
          List.of(
              rule("spiffe://test/envoy/*", AccessRule.Role.PROXY, "{1}", "edge"),
              rule("spiffe://test/sa/*", AccessRule.Role.APPLICATION, "{1}-*", ""),
              rule("spiffe://test/scout/*", AccessRule.Role.SCOUT, "{1}", "edge"),
              rule("ops.example", AccessRule.Role.OBSERVER, "", "")));

  private static AccessRule rule(
      String identity, AccessRule.Role role, String nodes, String groups) {
    return new AccessRule(
        new NamePattern(identity),
        role,
        patterns(nodes),
        patterns(groups),
        List.of(),
        /* vote= */ true,
        role == AccessRule.Role.PROXY);
  }

  private static List<NamePattern> patterns(String text) {
    return text.isEmpty() ? List.of() : List.of(new NamePattern(text));
  }

  private String refusal(String name, String node, String group) {
    return policy
        .decide(
            new ClientNames(List.of(name)),
            Node.newBuilder()
                .setId(node)
                .setMetadata(
                    Struct.newBuilder()
                        .putFields(
                            "holdfast_group", Value.newBuilder().setStringValue(group).build()))
                .build())
        .refusal();
  }

  @Test
  void aNodeIdIsBoundToTheNameInTheCertificate() {
    assertThat(refusal("spiffe://test/envoy/edge-1", "edge-1", "edge")).isEmpty();
    assertThat(refusal("spiffe://test/envoy/edge-1", "edge-2", "edge"))
        .isEqualTo(
            "spiffe://test/envoy/edge-1 may not be the node 'edge-2' (identity"
                + " spiffe://test/envoy/*)");
    assertThat(refusal("spiffe://test/sa/cart", "cart-7f9", "")).isEmpty();
    assertThat(refusal("spiffe://test/sa/cart", "pay-7f9", "")).contains("may not be the node");
  }

  @Test
  void aGroupIsBound() {
    assertThat(refusal("spiffe://test/envoy/edge-1", "edge-1", "inner"))
        .contains("may not be in the group 'inner'");
  }

  @Test
  void onlyAnIdentityWithTheRoleMayBeAScout() {
    assertThat(decide("spiffe://test/envoy/e1", "e1", "edge", "scout").refusal())
        .contains("may not be a scout");
    assertThat(decide("spiffe://test/sa/cart", "cart-1", "", "scout").refusal())
        .contains("may not be a scout");
    for (String claim : List.of("scout", "")) { // whatever it says
      Access access = decide("spiffe://test/scout/s1", "s1", "edge", claim).access();
      assertThat(access).isNotNull();
      assertThat(access.isScout()).isTrue();
      assertThat(access.mayVote()).isFalse();
    }
  }

  @Test
  void withoutRulesEverybodyMayBeAScoutAndHasNoVoteThen() {
    Node node = node("s1", "edge", "scout");
    Access scout = AccessPolicy.NONE.decide(ClientNames.NONE, node).access();
    assertThat(scout).isNotNull();
    assertThat(scout.isScout()).isTrue();
    assertThat(scout.mayVote()).isFalse();
    assertThat(scout.allows(ResourceType.SECRET)).isTrue();
    Access withheld = AccessPolicy.withoutSecrets().decide(ClientNames.NONE, node).access();
    assertThat(withheld).isNotNull();
    assertThat(withheld.allows(ResourceType.SECRET)).isFalse();
    Access other = AccessPolicy.NONE.decide(ClientNames.NONE, node("e1", "edge", "")).access();
    assertThat(other).isSameAs(Access.FULL);
  }

  private AccessPolicy.Decision decide(String name, String node, String group, String role) {
    return policy.decide(new ClientNames(List.of(name)), node(node, group, role));
  }

  private static Node node(String id, String group, String role) {
    return Node.newBuilder()
        .setId(id)
        .setMetadata(
            Struct.newBuilder()
                .putFields("holdfast_group", Value.newBuilder().setStringValue(group).build())
                .putFields("holdfast_role", Value.newBuilder().setStringValue(role).build()))
        .build();
  }

  @Test
  void nobodyElseMayConnect() {
    assertThat(refusal("spiffe://other/envoy/edge-1", "edge-1", "edge"))
        .isEqualTo("spiffe://other/envoy/edge-1 is none of the identities that may connect");
    assertThat(refusal("spiffe://test/envoy/a/edge-1", "a/edge-1", "edge"))
        .contains("none of the identities");
    assertThat(policy.decide(ClientNames.NONE, Node.getDefaultInstance()).access()).isNull();
  }

  @Test
  void aStarInANameOfACertificateIsNoPattern() {
    assertThat(refusal("spiffe://test/envoy/*", "edge-1", "edge")).contains("may not be the node");
    assertThat(refusal("spiffe://test/envoy/.*", "edge-1", "edge")).contains("may not be");
  }

  @Test
  void anObserverGetsNoConfigurationAndOthersMayNotObserve() {
    assertThat(refusal("ops.example", "any", "")).contains("gets no configuration");
    assertThat(policy.mayObserve(new ClientNames(List.of("ops.example")))).isTrue();
    assertThat(policy.mayObserve(new ClientNames(List.of("spiffe://test/envoy/edge-1")))).isFalse();
    assertThat(policy.mayObserve(ClientNames.NONE)).isFalse();
  }

  @Test
  void withoutRulesEverybodyMayDoEverything() {
    assertThat(AccessPolicy.NONE.decide(ClientNames.NONE, Node.getDefaultInstance()).access())
        .isSameAs(Access.FULL);
    assertThat(AccessPolicy.NONE.mayObserve(ClientNames.NONE)).isTrue();
  }
}
