// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.hold.Hold;
import org.junit.jupiter.api.Test;

/** While a search goes on, something goes away without which nobody is bad. */
class StaleEvidenceTest {
  private final Fleet fleet = new Fleet();
  private final Policies policies = new Policies();

  /** A policy that is bad for a host, and a good new host, are tried; the search begins. */
  private Fleet.Member searching(ConfigObject host) {
    fleet.join("e1").change(host, fleet.host("z", "1"));
    Fleet.Member member = fleet.member("e1");
    member.mute = member.pushes + 2; // the first half of what was refused
    fleet.change(policies.of("x", "a", BAD), fleet.host("q", "1"));
    assertThat(member.silent).isTrue();
    assertThat(fleet.held()).isEmpty();
    return member;
  }

  @Test
  void theOneThatIsLeftIsNotToBlameUnlessItIsRefusedItself() {
    ConfigObject host = fleet.host("a", "1");
    Fleet.Member member = searching(host);

    fleet.delete(host.key()); // and with it what the policy was bad for
    member.speak();
    fleet.settle();

    assertThat(fleet.rollout.holds())
        .as("what is for nobody waits, and nobody has refused it")
        .extracting(Hold::reason)
        .containsExactly(Hold.Reason.INVALID);
    assertThat(member.answers("q", "1")).isTrue();
    assertThat(member.answers("z", "1")).isTrue();
  }

  @Test
  void theOneThatIsLeftIsToBlameIfItIs() {
    ConfigObject host = fleet.host("a", "1");
    Fleet.Member member = searching(host);
    ConfigObject gone = fleet.host("z", "2");

    fleet.delete(gone.key()); // has a part in what was refused, and nothing to do with it
    member.speak();
    fleet.settle();

    assertThat(fleet.held()).containsExactly("x@1/0");
    assertThat(member.answers("q", "1")).isTrue();
    assertThat(member.answers("a", "1")).isTrue();
  }
}
