// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.demo.traffic.CallResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ten edits at once. */
class EditRoundTest {
  @ParameterizedTest
  @EnumSource(EditRound.class)
  void tenTeamsEditAndOneMakesAMistake(EditRound round) {
    assertThat(round.edit()).hasSameSizeAs(Team.values()).containsOnlyKeys(round.first().keySet());
    assertThat(round.edit())
        .allSatisfy((file, text) -> assertThat(text).isNotEqualTo(round.first().get(file)));
    String offender = round.file(EditRound.OFFENDER);
    assertThat(round.edit().get(offender)).isNotEqualTo(round.fixed());
    assertThat(round.fixed()).isNotEqualTo(round.first().get(offender));
  }

  @ParameterizedTest
  @EnumSource(EditRound.class)
  void callersCanTellBeforeFromAfter(EditRound round) {
    String before = round.seen(new CallResult("v1", "old"));
    String after = round.seen(new CallResult("v3", "new"));
    assertThat(before).isEqualTo(round.before());
    assertThat(after).isEqualTo(round.after()).isNotEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(Team.class)
  void everyTeamHasAServiceThatTheHostHandsToIt(Team team) {
    assertThat(team.service()).isEqualTo("shop." + titled(team.object()));
    assertThat(ShopObjects.root())
        .contains(
            "{name: " + team.object() + ", conditions: [{prefix: /" + team.service() + "/}]}");
  }

  private static String titled(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
