// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that share one route configuration, of which some are bad. */
class RolloutTest {
  private final Fleet fleet = new Fleet();

  @Test
  void oneBadEditIsHeldAtItsLastGoodGenerationWithoutAnotherPush() {
    fleet.join("e1").change(fleet.host("a", "1"), fleet.host("b", "1"));
    fleet.change(fleet.host("a", BAD));

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(fleet.member("e1").answers("a", "1")).isTrue();
    int before = fleet.pushes();
    fleet.change(fleet.host("b", "2"));
    assertThat(fleet.member("e1").answers("b", "2")).isTrue();
    assertThat(fleet.member("e1").answers("a", "1")).isTrue();
    assertThat(fleet.pushes() - before).isEqualTo(1);
  }

  @Test
  void aFixHealsAndTheSameMistakeIsNotTriedTwice() {
    fleet.join("e1").change(fleet.host("a", "1"));
    fleet.change(fleet.host("a", BAD));
    fleet.change(fleet.host("a", "3"));
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("a", "3")).isTrue();

    int before = fleet.pushes();
    fleet.change(fleet.host("a", BAD));
    assertThat(fleet.held()).containsExactly("a@4/3");
    assertThat(fleet.pushes()).as("known to be bad").isEqualTo(before);
  }

  @Test
  void aBadNewObjectIsLeftOut() {
    fleet.join("e1").change(fleet.host("a", "1"));
    fleet.change(fleet.host("b", BAD), fleet.host("c", "1"));

    assertThat(fleet.held()).containsExactly("b@1/0");
    assertThat(fleet.member("e1").answers("c", "1")).isTrue();
  }

  @Test
  void allButTwoNeverSeeWhatIsRefused() {
    fleet.join("e1").change(fleet.host("a", "1"));
    fleet.join("e2").join("e3");
    fleet.change(fleet.host("a", BAD), fleet.host("b", "1"));

    assertThat(fleet.member("e1").refusedVersions).isNotEmpty();
    assertThat(fleet.member("e2").refusedVersions).hasSize(1);
    assertThat(fleet.member("e3").refusedVersions).isEmpty();
    assertThat(fleet.member("e3").answers("b", "1")).isTrue();
    assertThat(fleet.member("e3").answers("a", "1")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 20})
  void ofAThousandNewObjectsExactlyTheBadOnesAreHeldWithinTheBound(int bad) {
    fleet.join("e1").change(fleet.host("base", "1"));
    List<ConfigObject> objects = new ArrayList<>();
    List<Integer> offenders = new Random(bad).ints(0, 1_000).distinct().limit(bad).boxed().toList();
    for (int i = 0; i < 1_000; i++) {
      objects.add(fleet.host("h%03d".formatted(i), offenders.contains(i) ? BAD : "1"));
    }
    int before = fleet.pushes();
    fleet.change(objects);

    int extra = fleet.pushes() - before - 1;
    assertThat(fleet.rollout.holds().stream().map(hold -> hold.key().name()))
        .containsExactlyInAnyOrderElementsOf(offenders.stream().map("h%03d"::formatted).toList());
    assertThat(extra).isLessThanOrEqualTo(bad * (10 + 1));
    for (int i = 0; i < 1_000; i++) {
      assertThat(fleet.member("e1").answers("h%03d".formatted(i), "1"))
          .isEqualTo(!offenders.contains(i));
    }
    System.out.println("rollout: " + bad + " bad of 1,000: " + extra + " extra pushes");
  }

  @Test
  void noRequestThatWasServedIsEverUnservedWhileItSearches() {
    Random random = new Random(7);
    fleet.join("e1").change(fleet.host("a", "1"));
    List<String> good = new ArrayList<>(List.of("a"));
    for (int step = 0; step < 60; step++) {
      List<ConfigObject> objects = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(6); i++) {
        String name = "s" + step + "x" + i;
        boolean bad = random.nextInt(4) == 0;
        objects.add(fleet.host(name, bad ? BAD : "1"));
        if (!bad) {
          good.add(name);
        }
      }
      fleet.change(objects);
      for (String name : good) {
        assertThat(fleet.member("e1").answers(name, "1")).as("%s at %s", name, step).isTrue();
      }
    }
  }

  @Test
  void aRestartKeepsWhatIsHeldAndServesItsLastGoodGeneration() {
    ConfigObject a1 = fleet.host("a", "1");
    ConfigObject b1 = fleet.host("b", "1");
    fleet.join("e1").change(a1, b1);
    ConfigObject a2 = fleet.host("a", BAD);
    fleet.change(a2);
    int before = fleet.pushes();

    fleet.restart(List.of(a2, b1));
    fleet.settle();

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(fleet.pushes()).isEqualTo(before);
    fleet.join("cold");
    assertThat(fleet.member("cold").answers("a", "1")).isTrue();
    assertThat(fleet.member("cold").refusedVersions).isEmpty();
  }

  @Test
  void withNoBaselineAtAllTheFirstStartFindsTheBadOnes() {
    fleet.change(fleet.host("a", "1"), fleet.host("b", BAD), fleet.host("c", "1"));
    fleet.join("e1");
    fleet.settle();

    assertThat(fleet.held()).containsExactly("b@1/0");
    assertThat(fleet.member("e1").answers("a", "1")).isTrue();
    assertThat(fleet.member("e1").answers("c", "1")).isTrue();
  }

  @Test
  void whatOneClassRefusesIsHeldForAll() {
    fleet.join("e1", "envoy 1.39.0", BAD);
    fleet.change(fleet.host("a", "1"));
    fleet.join("f1", "envoy 1.36.0", "NEWFANGLED");
    fleet.settle();
    fleet.change(fleet.host("a", "NEWFANGLED"), fleet.host("b", "1"));

    assertThat(fleet.held()).containsExactly("a@2/1");
    for (String node : List.of("e1", "f1")) {
      assertThat(fleet.member(node).answers("a", "1")).isTrue();
      assertThat(fleet.member(node).answers("b", "1")).isTrue();
    }
  }

  @Test
  void aDeletionAppliesAtOnceAndEndsAHold() {
    ConfigObject a1 = fleet.host("a", "1");
    fleet.join("e1").change(a1, fleet.host("b", "1"));
    fleet.change(fleet.host("a", BAD));
    fleet.delete(a1.key());

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("a", "1")).isFalse();
    assertThat(fleet.member("e1").answers("b", "1")).isTrue();
  }

  @Test
  void aSilentCanaryIsReplacedAndNobodyIsBlamed() {
    fleet.join("e1").change(fleet.host("a", "1"));
    fleet.join("e2");
    fleet.member("e1").silent = true;
    fleet.change(fleet.host("a", "2"));
    fleet.advance(Duration.ofSeconds(21));
    fleet.settle();

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e2").answers("a", "2")).isTrue();
  }

  @Test
  void whatIsHeldCanBeTriedAgainByHand() {
    ConfigObject a1 = fleet.host("a", "1");
    fleet.join("e1").change(a1);
    fleet.change(fleet.host("a", BAD));
    int before = fleet.ended.size();
    fleet.run(() -> assertThat(fleet.rollout.retry(a1.key())).isTrue());
    fleet.settle();

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(fleet.ended.size()).isGreaterThan(before);
  }
}
