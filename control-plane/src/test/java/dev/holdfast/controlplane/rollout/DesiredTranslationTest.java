// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What authors want is told apart from what becomes of it. */
class DesiredTranslationTest {
  private final Fleet fleet = new Fleet();
  private final SortedMap<ObjectKey, @Nullable ConfigObject> live = new TreeMap<>();

  private ConfigObject host(String name, String body) {
    ConfigObject object = fleet.host(name, body);
    live.put(object.key(), object);
    return object;
  }

  @Test
  void itIsTheTranslationOfAllObjectsWhateverIsHeld() {
    Random random = new Random(3);
    fleet.join("e1").change(host("a", "1"));
    for (int step = 0; step < 40; step++) {
      List<ConfigObject> changed = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        String name = "h" + random.nextInt(8);
        changed.removeIf(object -> object.key().name().equals(name));
        changed.add(host(name, random.nextInt(3) == 0 ? BAD + step : "v" + step));
      }
      fleet.change(changed);
      assertIsAllThatIsWanted(step);
      if (random.nextInt(4) == 0) {
        ObjectKey gone = changed.get(0).key();
        live.remove(gone);
        fleet.delete(gone);
        assertIsAllThatIsWanted(step);
      }
    }
  }

  private void assertIsAllThatIsWanted(int step) {
    Translation expected = Translation.empty(TranslationOptions.defaults()).with(live);
    List<ResourceId> different = new ArrayList<>();
    Snapshot.diff(
        expected.snapshot(),
        fleet.rollout.desired().snapshot(),
        (id, before, after) -> different.add(id));
    assertThat(different).as("step %s", step).isEmpty();
  }

  @Test
  void aSearchDoesNotTranslateItAnew() {
    fleet.join("e1").change(host("a", "1"));
    List<ConfigObject> objects = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      objects.add(host("h" + i, i == 11 ? BAD : "1"));
    }
    fleet.change(objects);
    Translation desired = fleet.rollout.desired();
    assertThat(fleet.held()).containsExactly("h11@1/0");

    fleet.change(host("a", "2"));
    assertThat(fleet.rollout.desired()).isNotSameAs(desired);
    assertThat(fleet.rollout.desired().objects().get(objects.get(3).key()))
        .isSameAs(desired.objects().get(objects.get(3).key()));
  }
}
