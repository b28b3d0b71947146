// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A sorted copy behaves as the tree that it was made of, but that it cannot be modified. */
@SuppressWarnings("JdkObsolete") // sorted maps and sets are what is tested
class SortedCopiesTest {
  private static final int MOST = 12;

  private final Random random = new Random(1);

  private NavigableMap<Integer, String> map() {
    NavigableMap<Integer, String> map = new TreeMap<>();
    for (int i = random.nextInt(MOST); i > 0; i--) {
      int key = random.nextInt(2 * MOST);
      map.put(key, "value " + key);
    }
    return map;
  }

  @Test
  void aMapIsLikeTheTree() {
    for (int round = 0; round < 1_000; round++) {
      NavigableMap<Integer, String> tree = map();
      SortedMap<Integer, String> copy = SortedCopies.of(tree);
      TreeMap<Integer, String> visited = new TreeMap<>();
      copy.forEach(visited::put);

      assertThat(copy).isEqualTo(tree).hasSameHashCodeAs(tree).hasToString(tree.toString());
      assertThat(tree).isEqualTo(copy);
      assertThat(visited).isEqualTo(tree);
      assertThat(new ArrayList<>(copy.entrySet())).isEqualTo(new ArrayList<>(tree.entrySet()));
      assertThat(new ArrayList<>(copy.keySet())).isEqualTo(new ArrayList<>(tree.keySet()));
      assertThat(new ArrayList<>(copy.values())).isEqualTo(new ArrayList<>(tree.values()));
      assertThat(SortedCopies.keys(copy)).isEqualTo(tree.keySet());
      assertThat(SortedCopies.keys(tree)).isEqualTo(tree.keySet());
      for (int key = -1; key <= 2 * MOST; key++) {
        assertThat(copy.get(key)).isEqualTo(tree.get(key));
        assertThat(copy.containsKey(key)).isEqualTo(tree.containsKey(key));
        assertThat(copy.headMap(key)).isEqualTo(tree.headMap(key));
        assertThat(copy.tailMap(key)).isEqualTo(tree.tailMap(key));
        assertThat(copy.subMap(key, key + 3)).isEqualTo(tree.subMap(key, key + 3));
      }
      if (!tree.isEmpty()) {
        assertThat(copy.firstKey()).isEqualTo(tree.firstKey());
        assertThat(copy.lastKey()).isEqualTo(tree.lastKey());
      }
      assertThat(SortedCopies.of(copy)).isSameAs(copy);
    }
  }

  @Test
  void aSetIsLikeTheTree() {
    for (int round = 0; round < 1_000; round++) {
      TreeSet<Integer> tree = new TreeSet<>(map().keySet());
      SortedSet<Integer> copy = SortedCopies.of(tree);

      assertThat(copy).isEqualTo(tree).hasSameHashCodeAs(tree).hasToString(tree.toString());
      assertThat(tree).isEqualTo(copy);
      assertThat(copy.stream().sorted().toList()).isEqualTo(new ArrayList<>(tree));
      for (int element = -1; element <= 2 * MOST; element++) {
        assertThat(copy.contains(element)).isEqualTo(tree.contains(element));
        assertThat(copy.headSet(element)).isEqualTo(tree.headSet(element));
        assertThat(copy.tailSet(element)).isEqualTo(tree.tailSet(element));
        assertThat(copy.subSet(element, element + 3)).isEqualTo(tree.subSet(element, element + 3));
      }
      if (!tree.isEmpty()) {
        assertThat(copy.first()).isEqualTo(tree.first());
        assertThat(copy.last()).isEqualTo(tree.last());
      }
      assertThat(SortedCopies.of(copy)).isSameAs(copy);
    }
  }

  @Test
  void aCopyKeepsWhatTheTreeLoses() {
    TreeMap<String, String> tree = new TreeMap<>(Map.of("a", "1"));
    SortedMap<String, String> copy = SortedCopies.of(tree);
    tree.clear();

    assertThat(copy).containsExactly(Map.entry("a", "1"));
  }

  @Test
  void aCopyCannotBeModified() {
    SortedMap<String, String> map = SortedCopies.of(new TreeMap<>(Map.of("a", "1")));
    SortedSet<String> set = SortedCopies.keys(map);
    Iterator<Map.Entry<String, String>> entries = map.entrySet().iterator();
    entries.next();

    assertThatThrownBy(() -> map.put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(entries::remove).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.keySet().remove("a"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> set.add("b")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> set.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    assertThat(map).hasSize(1);
  }

  @Test
  void anEmptyCopyHasNoEdges() {
    var map = SortedCopies.of(new TreeMap<>(Map.of("a", "1"))).headMap("a");

    assertThat(map).isEmpty();
    assertThatThrownBy(map::firstKey).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(map::lastKey).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void anOrderOfItsOwnStays() {
    TreeMap<String, String> tree = new TreeMap<>(Comparator.reverseOrder());
    tree.putAll(Map.of("a", "1", "b", "2"));

    assertThat(SortedCopies.of(tree).keySet()).first().isEqualTo("b");
  }
}
