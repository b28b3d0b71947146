// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PersistentMapTest {
  private static SortedMap<String, Integer> entries(PersistentMap<String, Integer> map) {
    SortedMap<String, Integer> entries = new TreeMap<>();
    for (Map.Entry<String, Integer> entry : map) {
      entries.put(entry.getKey(), entry.getValue());
    }
    return entries;
  }

  private static List<String> differences(
      PersistentMap<String, Integer> before, PersistentMap<String, Integer> after) {
    List<String> found = new ArrayList<>();
    PersistentMap.diff(before, after, (key, from, to) -> found.add(key + ":" + from + ">" + to));
    return found;
  }

  private static List<String> expected(
      SortedMap<String, Integer> before, SortedMap<String, Integer> after) {
    SortedMap<String, String> found = new TreeMap<>();
    before.forEach(
        (key, value) -> {
          @Nullable Integer now = after.get(key);
          if (!value.equals(now)) {
            found.put(key, key + ":" + value + ">" + now);
          }
        });
    after.forEach(
        (key, value) -> {
          if (!before.containsKey(key)) {
            found.put(key, key + ":null>" + value);
          }
        });
    return List.copyOf(found.values());
  }

  @Test
  void randomChangesAgreeWithTreeMapAndNeverTouchEarlierVersions() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<PersistentMap<String, Integer>> versions = new ArrayList<>();
      List<SortedMap<String, Integer>> models = new ArrayList<>();
      PersistentMap<String, Integer> map = PersistentMap.empty();
      SortedMap<String, Integer> model = new TreeMap<>();
      for (int step = 0; step < 200; step++) {
        String key = "k" + random.nextInt(60);
        if (random.nextInt(3) == 0) {
          map = map.without(key);
          model.remove(key);
        } else {
          int value = random.nextInt(5);
          map = map.with(key, value);
          model.put(key, value);
        }
        versions.add(map);
        models.add(new TreeMap<>(model));
      }
      for (int i = 0; i < versions.size(); i++) {
        assertThat(entries(versions.get(i))).as("seed %s", seed).isEqualTo(models.get(i));
        assertThat(versions.get(i).size()).isEqualTo(models.get(i).size());
        int other = random.nextInt(versions.size());
        assertThat(differences(versions.get(i), versions.get(other)))
            .as("seed %s", seed)
            .isEqualTo(expected(models.get(i), models.get(other)));
      }
    }
  }

  @Test
  void sameContentIsTheSameMap() {
    PersistentMap<String, Integer> map = PersistentMap.copyOf(Map.of("a", 1, "b", 2));

    assertThat(map.with("a", 1)).isSameAs(map);
    assertThat(map.without("c")).isSameAs(map);
    assertThat(map.without("a").without("b")).isSameAs(PersistentMap.empty());
  }

  @Test
  void mapsWithEqualEntriesAreTheSame() {
    PersistentMap<String, Integer> map = PersistentMap.copyOf(Map.of("a", 1, "b", 2));

    assertThat(map.sameAs(PersistentMap.copyOf(Map.of("b", 2, "a", 1)))).isTrue();
    assertThat(map.sameAs(map.with("b", 3))).isFalse();
    assertThat(map.sameAs(map.without("b"))).isFalse();
    assertThat(map.sameAs(map.without("b").with("c", 2))).isFalse();
  }

  @Test
  void theShapeIsThatOfTheKeysNotOfTheirHistory() {
    PersistentMap<Integer, Integer> ascending = PersistentMap.empty();
    PersistentMap<Integer, Integer> descending = PersistentMap.empty();
    for (int i = 0; i < 10_000; i++) {
      ascending = ascending.with(i, i);
      descending = descending.with(9_999 - i, 9_999 - i);
    }
    List<Integer> found = new ArrayList<>();
    PersistentMap.diff(ascending, descending, (key, from, to) -> found.add(key));

    assertThat(found).isEmpty();
    assertThat(ascending.get(4_711)).isEqualTo(4_711);
    assertThat(ascending.get(10_000)).isNull();
  }
}
