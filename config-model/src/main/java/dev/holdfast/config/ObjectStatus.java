// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import dev.holdfast.base.SortedCopies;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that is said of an object.
 *
 * @param conditions by type
 */
public record ObjectStatus(SortedMap<String, Condition> conditions) {
  private static final ObjectStatus EMPTY = new ObjectStatus(Collections.emptySortedMap());

  public ObjectStatus {
    conditions = SortedCopies.of(conditions);
    for (Map.Entry<String, Condition> entry : conditions.entrySet()) {
      if (!entry.getKey().equals(entry.getValue().type())) {
        throw new IllegalArgumentException(
            "condition: " + entry.getValue().type() + " (expected: " + entry.getKey() + ")");
      }
    }
  }

  /** Nothing is said yet. */
  public static ObjectStatus empty() {
    return EMPTY;
  }

  /** What is said on one question; null if nothing is. */
  public @Nullable Condition condition(String type) {
    return conditions.get(type);
  }

  /**
   * The same status with a newer condition in the place of that of its type. The time of the last
   * transition moves only if the answer does.
   */
  public ObjectStatus with(Condition newer) {
    Condition older = conditions.get(newer.type());
    SortedMap<String, Condition> changed = new TreeMap<>(conditions);
    changed.put(
        newer.type(),
        older == null || older.status() != newer.status()
            ? newer
            : new Condition(
                newer.type(),
                newer.status(),
                newer.reason(),
                newer.message(),
                newer.observedGeneration(),
                older.lastTransition(),
                newer.details()));
    return new ObjectStatus(changed);
  }

  /** The same status without the condition of this type. */
  public ObjectStatus without(String type) {
    if (!conditions.containsKey(type)) {
      return this;
    }
    SortedMap<String, Condition> fewer = new TreeMap<>(conditions);
    fewer.remove(type);
    return new ObjectStatus(fewer);
  }
}
