// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.hold.Hold;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Proxies that run something, and a server that does not know what. */
class AdoptionTest {
  private static final int HOSTS = 8;

  private final Fleet fleet = new Fleet();
  private final List<ConfigObject> live = new ArrayList<>();

  @BeforeEach
  void aFleetThatRunsSomethingAndOneBadEdit() {
    fleet.join("e1").join("e2");
    for (int i = 0; i < HOSTS; i++) {
      live.add(fleet.host("h" + i, "1"));
    }
    fleet.change(live);
    live.set(3, fleet.host("h3", BAD));
    fleet.change(live.get(3));
    assertThat(fleet.held()).containsExactly("h3@2/1");
  }

  private void everythingIsAnsweredAsBefore(String node) {
    for (int i = 0; i < HOSTS; i++) {
      assertThat(fleet.member(node).answers("h" + i, "1")).as("%s h%d", node, i).isTrue();
    }
  }

  @Test
  void nobodyLosesAnythingIfNobodyCanBeBlamed() {
    fleet.forget(live).settle();

    everythingIsAnsweredAsBefore("e1");
    everythingIsAnsweredAsBefore("e2");
    assertThat(fleet.rollout.holds())
        .hasSize(HOSTS)
        .allMatch(hold -> hold.reason() == Hold.Reason.ATTRIBUTION_PENDING);
    assertThat(fleet.rollout.isFrozen()).as("what proxies run of it stays").isTrue();
    assertThat(fleet.ended.get(fleet.ended.size() - 1).steps())
        .anyMatch(step -> step.contains("would take away what proxies run"))
        .noneMatch(step -> step.contains("one by one"));
  }

  @Test
  void aFixLetsEverythingThrough() {
    fleet.forget(live).settle();
    fleet.change(fleet.host("h3", "fixed"));

    assertThat(fleet.rollout.isFrozen()).isFalse();
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("h3", "fixed")).isTrue();
    assertThat(fleet.member("e2").answers("h3", "fixed")).isTrue();
  }

  @Test
  void whoeverIsNamedIsLeftOutAndAllOthersStay() {
    fleet.members.values().forEach(member -> member.message = "bad word in h3:" + BAD + ";");
    fleet.forget(live).settle();

    assertThat(fleet.held()).containsExactly("h3@2/0");
    for (String node : List.of("e1", "e2")) {
      assertThat(fleet.member(node).answers("h2", "1")).isTrue();
      assertThat(fleet.member(node).answers("h7", "1")).isTrue();
    }
    fleet.change(fleet.host("h5", "2"));
    assertThat(fleet.member("e2").answers("h5", "2")).isTrue();
  }

  @Test
  void oneThatRunsNothingYetSearchesForAll() {
    fleet.forget(live).settle();
    fleet.join("cold");
    fleet.change(fleet.host("h5", "2"));

    assertThat(fleet.held()).containsExactly("h3@2/0");
    for (String node : List.of("e1", "e2", "cold")) {
      for (int i : new int[] {0, 1, 2, 4, 6, 7}) {
        assertThat(fleet.member(node).answers("h" + i, "1")).as("%s h%d", node, i).isTrue();
      }
      assertThat(fleet.member(node).answers("h5", "2")).isTrue();
    }
    assertThat(fleet.member("e1").losses).as("hosts that went away meanwhile").isZero();
  }

  @Test
  void whatOneClassRefusesIsNotSearchedForByAnother() {
    String newer = "NEWFANGLED";
    live.set(3, fleet.host("h3", "fixed"));
    fleet.change(live.get(3));
    live.set(5, fleet.host("h5", newer));
    fleet.join("f1", "envoy 1.36.0", newer);
    fleet.forget(live);
    fleet.join("cold");
    fleet.change(fleet.host("h6", "2"));

    assertThat(fleet.evidence).as("of innocents").isEmpty();
    assertThat(fleet.held()).isEmpty();
    for (int i : new int[] {0, 1, 2, 4, 7}) {
      assertThat(fleet.member("cold").answers("h" + i, "1")).as("cold h%d", i).isTrue();
    }
    assertThat(fleet.member("cold").answers("h5", newer)).isTrue();
  }
}
