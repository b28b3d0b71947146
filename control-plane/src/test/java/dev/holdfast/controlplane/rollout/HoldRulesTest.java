// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.hold.Hold;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a held object may do to others, and others to it. */
class HoldRulesTest {
  private final Fleet fleet = new Fleet();

  @Test
  void anOldGenerationIsNotInTheWayOfALiveObject() {
    fleet.join("e1").change(fleet.host("a", "x.example", "1"), fleet.host("c", "1"));
    fleet.change(fleet.host("a", "y.example", BAD));
    assertThat(fleet.held()).containsExactly("a@2/1");

    fleet.change(fleet.host("b", "x.example", "1"));

    assertThat(fleet.member("e1").answers("b", "1")).isTrue();
    assertThat(fleet.member("e1").answers("a", "1")).isFalse();
    assertThat(fleet.member("e1").answers("c", "1")).isTrue();
    assertThat(fleet.held()).containsExactly("a@2/0");
    assertThat(fleet.accepted.keySet()).noneMatch(key -> key.name().equals("a"));
  }

  @Test
  void anOldGenerationThatWasDroppedDoesNotComeBackWithARestart() {
    fleet.join("e1").change(fleet.host("a", "x.example", "1"));
    ConfigObject a2 = fleet.host("a", "y.example", BAD);
    ConfigObject b1 = fleet.host("b", "x.example", "1");
    fleet.change(a2).change(b1);

    fleet.restart(List.of(a2, b1)).settle();

    assertThat(fleet.member("e1").answers("b", "1")).isTrue();
    assertThat(fleet.held()).containsExactly("a@2/0");
  }

  @Test
  void thoseWhoSwapHostsDoSoTogether() {
    fleet.join("e1");
    fleet.change(fleet.host("a", "x.example", "1"), fleet.host("b", "y.example", "1"));
    fleet.change(
        fleet.host("a", "y.example", "2"),
        fleet.host("b", "x.example", "2"),
        fleet.host("c", BAD),
        fleet.host("d", "1"));

    assertThat(fleet.held()).containsExactly("c@1/0");
    assertThat(fleet.member("e1").answers("a", "2")).isTrue();
    assertThat(fleet.member("e1").answers("b", "2")).isTrue();
    assertThat(fleet.member("e1").answers("d", "1")).isTrue();
  }

  private void dislikesTwoOfAKind() {
    fleet.join("e1").change(fleet.host("z", "1"));
    fleet.member("e1").pair = List.of("a:1;", "b:1;");
    fleet.member("e1").message = "Only unique paths are permitted. Duplicate entry of /twice-there";
  }

  @Test
  void ofTwoThatDoNotGoTogetherTheLaterIsHeld() {
    dislikesTwoOfAKind();
    fleet.change(
        fleet.host("b", "b.example", "1", "/twice-there"),
        fleet.host("a", "a.example", "1", "/twice-there"),
        fleet.host("c", "1"));

    assertThat(fleet.held()).containsExactly("b@1/0");
    Hold hold = fleet.rollout.holds().iterator().next();
    assertThat(hold.reason()).isEqualTo(Hold.Reason.CONFLICT);
    assertThat(hold.cause()).hasToString("HTTPProxy/default/a");
    assertThat(fleet.member("e1").answers("c", "1")).isTrue();
  }

  @Test
  void whoIsFineAloneIsTriedAgainWhenTheOtherChanges() {
    dislikesTwoOfAKind();
    fleet.change(fleet.host("a", "a.example", "1", "/twice-there"));
    ConfigObject b1 = fleet.host("b", "b.example", "1", "/twice-there");
    fleet.change(b1);
    assertThat(fleet.held()).containsExactly("b@1/0");

    fleet.change(fleet.host("c", "1"));
    assertThat(fleet.held()).as("nothing to do with it").containsExactly("b@1/0");

    fleet.change(fleet.host("a", "a.example", "2", "/elsewhere"));
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("b", "1")).isTrue();
  }

  @Test
  void whoIsFineAloneIsTriedAgainWhenTheOtherIsNoMore() {
    dislikesTwoOfAKind();
    ConfigObject a1 = fleet.host("a", "a.example", "1", "/twice-there");
    fleet.change(a1);
    fleet.change(fleet.host("b", "b.example", "1", "/twice-there"));
    assertThat(fleet.held()).containsExactly("b@1/0");

    fleet.delete(a1.key());
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("b", "1")).isTrue();
  }

  @Test
  void aConflictIsFoundAgainAfterARestart() {
    dislikesTwoOfAKind();
    ConfigObject z1 = fleet.host("z", "1");
    ConfigObject a1 = fleet.host("a", "a.example", "1", "/twice-there");
    ConfigObject b1 = fleet.host("b", "b.example", "1", "/twice-there");
    fleet.change(z1, a1).change(b1);
    int before = fleet.pushes();

    fleet.restart(List.of(z1, a1, b1)).settle();

    assertThat(fleet.pushes()).isEqualTo(before);
    assertThat(fleet.rollout.holds())
        .singleElement()
        .extracting(Hold::reason)
        .isEqualTo(Hold.Reason.CONFLICT);
  }

  @Test
  void whoAsksForItIsClosedInsteadOfServedOld() {
    fleet.join("e1").change(fleet.host("a", "1"), fleet.host("b", "1"));
    fleet.change(Fleet.closing(fleet.host("a", BAD)), fleet.host("b", "2"));

    assertThat(fleet.held()).containsExactly("a@2/0");
    assertThat(fleet.rollout.holds().iterator().next().closed()).isTrue();
    assertThat(fleet.member("e1").answers("a", "1")).isFalse();
    assertThat(fleet.member("e1").has("a.example.com")).as("the host answers 503").isTrue();
    assertThat(fleet.member("e1").answers("b", "2")).isTrue();

    fleet.change(Fleet.closing(fleet.host("a", "3")));
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("a", "3")).isTrue();
  }

  @Test
  void nothingIsTriedBeforeWhatItReplacesIsDurable() {
    fleet.join("e1").change(fleet.host("a", "1"));
    fleet.diskIsSlow = true;
    fleet.change(fleet.host("a", "2"));
    assertThat(fleet.member("e1").answers("a", "2")).isTrue();

    fleet.change(fleet.host("a", "3"), fleet.host("b", "1"));
    assertThat(fleet.member("e1").answers("a", "2")).as("2 may be lost in a crash").isTrue();
    assertThat(fleet.member("e1").answers("a", "3")).isFalse();

    fleet.written();
    fleet.settle();
    assertThat(fleet.member("e1").answers("a", "3")).isTrue();
    assertThat(fleet.member("e1").answers("b", "1")).isTrue();
  }
}
