// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Equal objects give equal translations, in whatever order they were added. */
class IncrementalTest {
  private static final Translation EMPTY = Translation.empty(TranslationOptions.defaults());

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void incrementalEqualsFullTranslation(long seed) {
    RandomObjects objects = new RandomObjects(seed);
    SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>();
    Translation translation = EMPTY;
    for (int step = 0; step < 80; step++) {
      SortedMap<ObjectKey, @Nullable ConfigObject> changes = objects.changes();
      all.putAll(changes);
      translation = translation.with(changes);
      if (step % 4 == 3) {
        assertSame("seed " + seed + ", step " + step, translation, EMPTY.with(all));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void orderOfChangesDoesNotMatter(long seed) {
    RandomObjects objects = new RandomObjects(seed);
    SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>();
    for (int step = 0; step < 60; step++) {
      all.putAll(objects.changes());
    }
    Translation atOnce = EMPTY.with(all);
    List<ObjectKey> keys = new ArrayList<>(all.keySet());
    for (int order = 0; order < 3; order++) {
      Collections.shuffle(keys, new Random(seed + order));
      Translation oneByOne = EMPTY;
      for (ObjectKey key : keys) {
        SortedMap<ObjectKey, @Nullable ConfigObject> change = new TreeMap<>();
        change.put(key, all.get(key));
        oneByOne = oneByOne.with(change);
      }
      assertSame("seed " + seed + ", order " + order, oneByOne, atOnce);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21})
  void branchesAreIndependent(long seed) {
    RandomObjects objects = new RandomObjects(seed);
    Random random = new Random(seed);
    List<Translation> branches = new ArrayList<>(List.of(EMPTY));
    List<SortedMap<ObjectKey, @Nullable ConfigObject>> given = new ArrayList<>();
    given.add(new TreeMap<>());
    for (int step = 0; step < 40; step++) {
      int from = random.nextInt(branches.size());
      SortedMap<ObjectKey, @Nullable ConfigObject> changes = objects.changes();
      SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>(given.get(from));
      all.putAll(changes);
      branches.add(branches.get(from).with(changes));
      given.add(all);
    }
    for (int i = 0; i < branches.size(); i++) {
      assertSame("seed " + seed + ", branch " + i, branches.get(i), EMPTY.with(given.get(i)));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {31})
  void removedObjectsLeaveNothingBehind(long seed) {
    RandomObjects objects = new RandomObjects(seed);
    Translation translation = EMPTY;
    for (int step = 0; step < 60; step++) {
      translation = translation.with(objects.changes());
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> gone = new TreeMap<>();
    translation.objects().forEach((key, object) -> gone.put(key, null));

    assertSame("seed " + seed, translation.with(gone), EMPTY);
  }

  private static void assertSame(String when, Translation actual, Translation expected) {
    Map<String, String> wanted = TranslationText.everything(expected);
    Map<String, String> found = TranslationText.everything(actual);
    if (!found.equals(wanted)) {
      assertThat(found.keySet()).as(when).isEqualTo(wanted.keySet());
      wanted.forEach(
          (name, text) -> assertThat(found.get(name)).as(when + ": " + name).isEqualTo(text));
    }
  }
}
