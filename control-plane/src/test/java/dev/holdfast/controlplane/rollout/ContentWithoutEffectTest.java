// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A policy that is bad waits, because what it is for is not there yet. */
class ContentWithoutEffectTest {
  private final Fleet fleet = new Fleet();
  private final Policies policies = new Policies();

  private ConfigObject badPolicyForNobody() {
    ConfigObject policy = policies.of("x", "a", BAD);
    fleet.join("e1").change(fleet.host("z", "1"));
    fleet.change(policy);
    assertThat(fleet.held()).containsExactly("x@1/0");
    return policy;
  }

  @Test
  void whoSetsItOffIsTriedAgainWhenItIsGone() {
    ConfigObject policy = badPolicyForNobody();
    fleet.change(fleet.host("a", "1"));
    assertThat(fleet.held()).containsExactly("x@1/0", "a@1/0");
    assertThat(fleet.member("e1").has("a:1;")).as("not without its policy").isFalse();

    fleet.delete(policy.key());

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("a", "1")).isTrue();
  }

  @Test
  void whoSetsItOffIsTriedAgainWhenItIsMended() {
    badPolicyForNobody();
    fleet.change(fleet.host("a", "1"));

    fleet.change(policies.of("x", "a", "fine"));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("a", "1")).isTrue();
    assertThat(fleet.member("e1").has("fine")).isTrue();
  }

  @Test
  void aMendedOneIsNotHeldTogetherWithWhatItIsFor() {
    badPolicyForNobody();
    fleet.change(fleet.host("a", BAD), policies.of("x", "a", "fine"));
    assertThat(fleet.held()).as("neither is tried alone").containsExactly("x@2/0", "a@1/0");

    fleet.change(fleet.host("a", "2"));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("a", "2")).isTrue();
    assertThat(fleet.member("e1").has("fine")).isTrue();
  }

  @Test
  void oneThatLosesItsEffectWhileItIsTriedWaitsAsIfItNeverHadAny() {
    ConfigObject host = fleet.host("a", "1");
    fleet.join("e1").change(fleet.host("z", "1"), host);
    Fleet.Member canary = fleet.member("e1");
    canary.mute = canary.pushes + 1;
    fleet.change(policies.of("x", "a", BAD));
    assertThat(canary.silent).as("it tries the policy").isTrue();
    fleet.delete(host.key());
    canary.speak();
    fleet.settle();
    assertThat(fleet.held()).as("nobody has tried it").containsExactly("x@1/0");

    fleet.change(fleet.host("a", "2"));

    assertThat(fleet.held()).containsExactly("x@1/0", "a@2/0");
    assertThat(fleet.rollout.holds())
        .as("who is to blame")
        .extracting(Hold::reason)
        .containsExactly(Hold.Reason.REJECTED, Hold.Reason.DEPENDENCY_REJECTED);
  }

  @Test
  void oneThatLosesItsEffectWhileItIsTriedIsTriedWithWhatHasComeMeanwhile() {
    ConfigObject host = fleet.host("a", "1");
    fleet.join("e1").change(fleet.host("z", "1"), host);
    Fleet.Member canary = fleet.member("e1");
    canary.mute = canary.pushes + 1;
    fleet.change(policies.of("x", "a", "fine"));
    fleet.delete(host.key());
    fleet.change(fleet.host("a", "2"));
    canary.speak();
    fleet.settle();

    assertThat(fleet.held()).isEmpty();
    assertThat(canary.answers("a", "2")).isTrue();
    assertThat(canary.has("fine")).isTrue();
  }

  @Test
  void whoIsBroughtAlongIsToldFromThoseWhoAreTried() {
    ConfigObject policy = policies.of("x", "a", BAD);
    ConfigObject host = fleet.host("a", "1");
    Baseline base = new Baseline(Translation.empty(TranslationOptions.defaults()), key -> {});
    base.apply(new TreeMap<>(Map.of(policy.key(), policy)));
    Resource routes =
        Objects.requireNonNull(
            base.with(new TreeMap<>(Map.of(host.key(), host)))
                .snapshot()
                .get(ResourceType.ROUTES, "ingress_http"));

    assertThat(base.isJoined(routes, Set.of(host.key()))).isTrue();
    assertThat(base.isJoined(routes, Set.of(host.key(), policy.key()))).isFalse();
  }
}
