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
 * The resources that one stage needs from another, and which requesters need them. A resource is
 * built as long as it has a requester. Used for one translation step.
 *
 * @param <K> identifies a resource
 * @param <V> what a requester needs of it
 */
final class Demand<K extends Comparable<? super K>, V> {
  private MultiMap<K, String, V> demanded;
  private final SortedSet<K> changed = new TreeSet<>();

  /**
   * @param demanded the demands before this step
   */
  Demand(MultiMap<K, String, V> demanded) {
    this.demanded = demanded;
  }

  /** Replaces the demands of one requester. */
  void replace(String requester, SortedMap<K, V> before, SortedMap<K, V> after) {
    for (K key : before.keySet()) {
      if (!after.containsKey(key)) {
        demanded = demanded.without(key, requester);
        changed.add(key);
      }
    }
    for (Map.Entry<K, V> entry : after.entrySet()) {
      if (!entry.getValue().equals(demanded.get(entry.getKey(), requester))) {
        demanded = demanded.with(entry.getKey(), requester, entry.getValue());
        changed.add(entry.getKey());
      }
    }
  }

  /** The demands for a resource by requester; empty if there are none. */
  PersistentMap<String, V> of(K key) {
    return demanded.get(key);
  }

  /** The resources whose demands changed in this step. */
  SortedSet<K> changed() {
    return Collections.unmodifiableSortedSet(changed);
  }

  MultiMap<K, String, V> demanded() {
    return demanded;
  }
}
