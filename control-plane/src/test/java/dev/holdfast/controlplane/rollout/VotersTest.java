// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No proxy decides for the others of its class alone, whichever way it votes. */
class VotersTest {
  private static final String CLASS = "envoy 1.39.0";
  private static final String NOTHING = "nobody says this";
  private static final String ODD = "ODD";

  private final Fleet fleet = new Fleet();

  /** Proxies e1, e2 ..., each of which refuses what holds its word. */
  private void start(String... dislikes) {
    for (int i = 0; i < dislikes.length; i++) {
      fleet.join("e" + (i + 1), CLASS, dislikes[i]);
    }
    fleet.change(fleet.host("a", "1"), fleet.host("b", "1"), fleet.host("c", "1"));
  }

  private List<String> judges(String name) {
    Evidence evidence =
        requireNonNull(fleet.rollout.hold(new ObjectKey("HTTPProxy", "default", name)), name)
            .evidence();
    return requireNonNull(evidence, name).judges();
  }

  private boolean allAnswer(String host, String body) {
    return fleet.members.values().stream().allMatch(member -> member.answers(host, body));
  }

  @Test
  void aChangeCostsOnePushForEachProxyAlsoWithASecondOneThatConfirmsIt() {
    start(BAD, BAD, BAD);
    int before = fleet.pushes();
    fleet.change(fleet.host("a", "2"));

    assertThat(allAnswer("a", "2")).isTrue();
    assertThat(fleet.pushes() - before).isEqualTo(3);
  }

  @Test
  void othersGetAChangeWhenASecondProxyHasAcceptedIt() {
    start(BAD, BAD, BAD);
    fleet.member("e2").mute = fleet.member("e2").pushes + 1;
    fleet.change(fleet.host("a", "2"));
    assertThat(fleet.member("e1").answers("a", "2")).isTrue();
    assertThat(fleet.member("e3").answers("a", "1")).isTrue();

    fleet.member("e2").speak();
    fleet.settle();
    assertThat(allAnswer("a", "2")).isTrue();
  }

  @Test
  void whoAcceptsWhatTwoRefuseIsNotBelieved() {
    start(NOTHING, BAD, BAD, BAD);
    fleet.change(fleet.host("a", BAD), fleet.host("b", "2"));

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(judges("a")).isEmpty();
    assertThat(fleet.diverged).isEqualTo(Map.of("e1", true));
    assertThat(allAnswer("b", "2")).isTrue();
    assertThat(allAnswer("a", "1")).isTrue();
    assertThat(fleet.member("e4").refusedVersions).as("never sees it").isEmpty();
  }

  @Test
  void whoRefusesWhatTwoAcceptIsNotBelieved() {
    start(ODD, BAD, BAD, BAD);
    fleet.change(fleet.host("a", ODD), fleet.host("b", "2"));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.diverged).isEqualTo(Map.of("e1", false));
    for (String node : List.of("e2", "e3", "e4")) {
      assertThat(fleet.member(node).answers("a", ODD)).isTrue();
      assertThat(fleet.member(node).answers("b", "2")).isTrue();
    }
  }

  @Test
  void whoRefusesAsTheSecondOneIsNotBelievedEither() {
    start(BAD, ODD, BAD, BAD);
    fleet.change(fleet.host("a", ODD), fleet.host("b", "2"));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.diverged).isEqualTo(Map.of("e2", false));
    assertThat(fleet.member("e3").answers("a", ODD)).isTrue();
  }

  @Test
  void whoRefusesEverythingDelaysNobodyForLong() {
    start(BAD, BAD, BAD);
    fleet.join("e0", CLASS, "BUT");
    fleet.members.remove("e1");
    fleet.join("e1");
    for (int i = 0; i < 5; i++) {
      fleet.change(fleet.host("a", "BUT" + i), fleet.host("b", "BUT" + i));
    }

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e3").answers("a", "BUT4")).isTrue();
    assertThat(fleet.member("e3").answers("b", "BUT4")).isTrue();
  }

  @Test
  void twoThatDisagreeLeaveEverythingAsItIs() {
    start(ODD, BAD);
    fleet.change(fleet.host("a", ODD), fleet.host("b", "2"));

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(judges("a")).containsExactly("e1", "e2");
    assertThat(fleet.diverged).isEmpty();
    assertThat(allAnswer("a", "1")).isTrue();
    assertThat(allAnswer("b", "2")).isTrue();
  }

  @Test
  void aThirdThatComesDecides() {
    start(ODD, BAD);
    fleet.change(fleet.host("a", ODD));
    fleet.join("e3");
    fleet.run(fleet.rollout::retryOutdatedHolds);
    fleet.settle();

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.diverged).isEqualTo(Map.of("e1", false));
    assertThat(fleet.member("e2").answers("a", ODD)).isTrue();
  }

  @Test
  void aThirdThatIsNotReadyIsWaitedFor() {
    start(ODD, BAD, BAD);
    fleet.member("e3").silent = true;
    fleet.change(fleet.host("a", ODD));
    assertThat(fleet.held()).isEmpty();
    fleet.member("e3").speak();
    fleet.settle();

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.diverged).isEqualTo(Map.of("e1", false));
    assertThat(fleet.member("e2").answers("a", ODD)).isTrue();
  }

  @Test
  void aThirdThatNeverGetsReadyIsNotWaitedForLong() {
    start(ODD, BAD, BAD);
    fleet.member("e3").silent = true;
    fleet.change(fleet.host("a", ODD));
    fleet.advance(Duration.ofSeconds(6));
    fleet.settle();

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(judges("a")).containsExactly("e1", "e2");
  }

  @Test
  void whatIsDisputedIsTriedAgainWhenWhoRefusedItIsGone() {
    start(ODD, BAD);
    fleet.change(fleet.host("a", ODD));
    fleet.members.remove("e1");
    fleet.run(fleet.rollout::retryOutdatedHolds);
    fleet.settle();

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e2").answers("a", ODD)).isTrue();
  }

  @Test
  void oneThatIsAloneIsBelievedUntilAnotherOneComes() {
    start(ODD);
    fleet.change(fleet.host("a", ODD));
    assertThat(judges("a")).containsExactly("e1");
    int before = fleet.pushes();
    fleet.run(fleet.rollout::retryOutdatedHolds);
    fleet.settle();
    assertThat(fleet.pushes()).as("asked once").isEqualTo(before);

    fleet.join("e2").join("e3");
    fleet.run(fleet.rollout::retryOutdatedHolds);
    fleet.settle();
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e3").answers("a", ODD)).isTrue();
  }

  @Test
  void aRestartRemembersWhoWasAlone() {
    start(ODD);
    ConfigObject odd = fleet.host("a", ODD);
    fleet.change(odd);
    fleet.members.clear();
    fleet.join("e2");
    fleet.restart(List.of(odd, fleet.host("b", "1"), fleet.host("c", "1"))).settle();

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e2").answers("a", ODD)).isTrue();
  }

  @Test
  void whatIsRefusedByTwoIsNotTriedAgainWhenOthersCome() {
    start(BAD, BAD);
    fleet.change(fleet.host("a", BAD));
    fleet.join("e3");
    fleet.run(fleet.rollout::retryOutdatedHolds);
    fleet.settle();

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(fleet.member("e3").refusedVersions).isEmpty();
  }

  @Test
  void whatASearchFindsGoodOnTheWayIsConfirmedBeforeOthersGetIt() {
    start(BAD, BAD, BAD, BAD);
    List<ConfigObject> edits = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      edits.add(fleet.host("h" + i, i == 5 ? BAD : "1"));
    }
    fleet.change(edits);

    assertThat(fleet.held()).containsExactly("h5@1/0");
    for (int i = 0; i < 8; i++) {
      assertThat(allAnswer("h" + i, "1")).isEqualTo(i != 5);
    }
  }

  /** What one searcher finds good, and the next one does not, is not served. */
  @Test
  void aSearcherThatAcceptsEverythingElseIsNotBelieved() {
    start(ODD, BAD, BAD, BAD);
    fleet.change(fleet.host("a", BAD), fleet.host("b", ODD), fleet.host("c", "2"));

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(fleet.diverged).containsKey("e1");
    for (String node : List.of("e2", "e3", "e4")) {
      assertThat(fleet.member(node).answers("b", ODD)).as(node).isTrue();
      assertThat(fleet.member(node).answers("c", "2")).as(node).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void aSearchCostsAFewPushesMoreForEachBadObject(int bad) {
    start(BAD, BAD);
    List<ConfigObject> objects = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      objects.add(fleet.host("h%03d".formatted(i), i % 200 == 7 && i / 200 < bad ? BAD : "1"));
    }
    int before = fleet.pushes();
    fleet.change(objects);

    int extra = fleet.pushes() - before - 2;
    assertThat(fleet.rollout.holds()).hasSize(bad);
    assertThat(extra).isLessThanOrEqualTo(bad * (10 + 1 + 3));
    System.out.println("voters: " + bad + " bad of 1,000 by two proxies: " + extra + " pushes");
  }
}
