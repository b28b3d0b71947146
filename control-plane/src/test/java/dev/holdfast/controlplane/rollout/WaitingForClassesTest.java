// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who waits for whom, while proxies take their time or come and go. */
class WaitingForClassesTest {
  private final Fleet fleet = new Fleet();
  private final Policies policies = new Policies();

  private void changeWhileNobodyAnswers(ConfigObject... objects) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    for (ConfigObject object : objects) {
      changes.put(object.key(), object);
    }
    fleet.run(() -> fleet.rollout.change(changes));
  }

  @Test
  void thoseWhoReferToAnObjectWaitForItsNewestGenerationOnly() {
    fleet.join("e1").change(fleet.host("z", "1"));
    fleet.member("e1").mute = fleet.pushes() + 1;
    changeWhileNobodyAnswers(fleet.host("a", BAD));
    changeWhileNobodyAnswers(fleet.host("a", "2"), policies.of("x", "a", "fine"));

    fleet.member("e1").speak();
    int before = fleet.pushes();
    fleet.settle();

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").answers("a", "2")).isTrue();
    assertThat(fleet.member("e1").has("fine")).isTrue();
    assertThat(fleet.pushes() - before).as("together").isEqualTo(1);
  }

  @Test
  void thoseWhoWaitedForAnObjectAreTriedWithItsNextGeneration() {
    fleet.join("e1").change(fleet.host("z", "1"));
    fleet.change(fleet.host("a", BAD), policies.of("x", "a", "fine"));
    assertThat(fleet.held()).contains("a@1/0");
    int before = fleet.pushes();

    fleet.change(fleet.host("a", "2"));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").has("fine")).isTrue();
    assertThat(fleet.pushes() - before).as("together").isEqualTo(1);
  }

  @Test
  void aClassThatWasSilentOnceIsAskedAgain() {
    fleet.join("e1").join("f1", "envoy 1.36.0", "NEWFANGLED");
    fleet.change(fleet.host("a", "1"));
    fleet.member("f1").mute = fleet.member("f1").pushes + 1;
    fleet.change(fleet.host("a", "2"));
    fleet.advance(Duration.ofSeconds(21));
    fleet.settle();
    assertThat(fleet.member("e1").answers("a", "2")).as("without it, for now").isTrue();
    fleet.change(fleet.host("b", "1"));
    assertThat(fleet.member("e1").answers("b", "1")).as("nobody waits twice").isTrue();

    fleet.member("f1").speak();
    fleet.settle();
    fleet.change(fleet.host("a", "NEWFANGLED"));

    assertThat(fleet.held()).containsExactly("a@3/2");
  }

  @Test
  void aSearchGoesOnWithOneThatWasAway() {
    fleet.join("e1").change(fleet.host("z", "1"));
    fleet.member("e1").mute = fleet.pushes() + 2;
    fleet.change(
        fleet.host("a", "1"), fleet.host("b", BAD), fleet.host("c", "1"), fleet.host("d", BAD));
    fleet.advance(Duration.ofSeconds(21));
    fleet.settle();

    fleet.member("e1").speak();
    for (int i = 0; i < 10; i++) {
      fleet.settle(); // some of it is known to be refused, and not sent
    }

    assertThat(fleet.held()).containsExactly("b@1/0", "d@1/0");
    assertThat(fleet.member("e1").answers("a", "1")).isTrue();
    assertThat(fleet.member("e1").answers("c", "1")).isTrue();
  }
}
