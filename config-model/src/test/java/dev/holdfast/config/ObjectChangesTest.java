// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ObjectChangesTest {
  @Test
  void tellsWhatIsNewWhatIsOtherAndWhatIsGone() {
    ConfigObject stays = object("stays", 1, 1);
    ConfigObject goes = object("goes", 1, 1);
    ConfigObject comes = object("comes", 1, 1);
    ConfigObject edited = object("edited", 2, 1);

    ObjectChanges changes =
        ObjectChanges.between(
            map(stays, goes, object("edited", 1, 1)), map(stays, edited, comes), List.of());

    assertThat(changes.added()).containsExactly(Map.entry(comes.key(), comes));
    assertThat(changes.changed()).containsExactly(Map.entry(edited.key(), edited));
    assertThat(changes.removed()).containsExactly(goes.key());
    assertThat(changes.hasNoObjectChanges()).isFalse();
  }

  @Test
  void anObjectThatOnlyMovedIsToldWithItsGeneration() {
    ConfigObject moved = object("a", 4, 9);

    ObjectChanges changes = ObjectChanges.between(map(object("a", 4, 1)), map(moved), List.of());

    assertThat(changes.changed()).containsExactly(Map.entry(moved.key(), moved));
  }

  @Test
  void sayNothingOfObjectsThatAreTheSame() {
    ObjectChanges changes =
        ObjectChanges.between(map(object("a", 1, 1)), map(object("a", 1, 1)), List.of());

    assertThat(changes.hasNoObjectChanges()).isTrue();
  }

  @Test
  void anObjectIsNeverShownWithItsBody() {
    assertThat(object("a", 3, 1)).hasToString("Service/ns/a generation 3");
  }

  @Test
  void anObjectHasAGenerationFromOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> object("a", 0, 1))
        .withMessage("generation: 0 (expected: from 1)");
  }

  private static SortedMap<ObjectKey, ConfigObject> map(ConfigObject... objects) {
    SortedMap<ObjectKey, ConfigObject> map = new TreeMap<>();
    for (ConfigObject object : objects) {
      map.put(object.key(), object);
    }
    return map;
  }

  private static ConfigObject object(String name, long generation, int line) {
    return new ConfigObject(
        new ObjectKey("Service", "ns", name),
        "v1",
        "uid",
        generation,
        Instant.EPOCH,
        new TreeMap<>(),
        new TreeMap<>(),
        new Mapping(Map.of(), new Position("a.yaml", line, 1)));
  }
}
