// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a store knows.
 *
 * @param accepted the last generation of each object that was accepted
 * @param byClass what single classes of proxies are served instead
 * @param classes when each class of proxies was last seen
 * @param rejections what was refused, and still counts
 * @param statuses what was last said of each object
 * @param held the version of all that it asks for of a type that a proxy holds for certain
 */
public record StoredState(
    SortedMap<ObjectKey, AcceptedSpec> accepted,
    SortedMap<ClassSpec.Key, ClassSpec> byClass,
    SortedMap<String, Instant> classes,
    SortedMap<Rejection.Key, Rejection> rejections,
    SortedMap<ObjectKey, StoredStatus> statuses,
    SortedMap<Holder, String> held) {
  private static final StoredState EMPTY =
      new StoredState(
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap());

  public StoredState {
    accepted = Collections.unmodifiableSortedMap(new TreeMap<>(accepted));
    byClass = Collections.unmodifiableSortedMap(new TreeMap<>(byClass));
    classes = Collections.unmodifiableSortedMap(new TreeMap<>(classes));
    rejections = Collections.unmodifiableSortedMap(new TreeMap<>(rejections));
    statuses = Collections.unmodifiableSortedMap(new TreeMap<>(statuses));
    held = Collections.unmodifiableSortedMap(new TreeMap<>(held));
  }

  /** That of a store that was never written to. */
  public static StoredState empty() {
    return EMPTY;
  }
}
