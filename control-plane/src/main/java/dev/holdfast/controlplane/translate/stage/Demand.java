// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.translate.index.MultiMap;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is asked for, and by whom. A thing is made as long as somebody asks for it.
 *
 * @param <K> the things
 * @param <V> how they are wanted
 */
final class Demand<K extends Comparable<? super K>, V> {
  private MultiMap<K, String, V> asked;
  private final SortedSet<K> changed = new TreeSet<>();

  /** Begins a turn. */
  Demand(MultiMap<K, String, V> asked) {
    this.asked = asked;
  }

  /** Somebody asks for other things than before. */
  void change(String who, SortedMap<K, V> before, SortedMap<K, V> after) {
    for (K thing : before.keySet()) {
      if (!after.containsKey(thing)) {
        asked = asked.without(thing, who);
        changed.add(thing);
      }
    }
    for (Map.Entry<K, V> entry : after.entrySet()) {
      if (!entry.getValue().equals(asked.get(entry.getKey(), who))) {
        asked = asked.with(entry.getKey(), who, entry.getValue());
        changed.add(entry.getKey());
      }
    }
  }

  /** How a thing is wanted, by who wants it; empty if nobody does. */
  PersistentMap<String, V> of(K thing) {
    return asked.get(thing);
  }

  /** The things that are asked for in another way, or by others, since the turn began. */
  SortedSet<K> changed() {
    return Collections.unmodifiableSortedSet(changed);
  }

  MultiMap<K, String, V> asked() {
    return asked;
  }
}
