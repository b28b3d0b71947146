// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What would be served if everything was accepted. That a search moves objects into the base, or
 * puts them on hold, makes no difference here: only authors do, and what applies at once.
 */
final class Desired {
  private final Base base;
  private final Wishes wishes;
  private final Holds holds;
  private Translation known;

  /** What may be another object than it was. */
  private final SortedSet<ObjectKey> moved = new TreeSet<>();

  Desired(Base base, Wishes wishes, Holds holds) {
    this.base = base;
    this.wishes = wishes;
    this.holds = holds;
    this.known = base.translation();
  }

  /** Objects became others, or are no more. */
  void moved(Collection<ObjectKey> keys) {
    moved.addAll(keys);
  }

  /**
   * @param trial the one under way, which may be of all that is wanted; null if none is
   */
  Translation get(@Nullable Trial trial) {
    if (!moved.isEmpty()) {
      known = next(trial);
      moved.clear();
    }
    return known;
  }

  private Translation next(@Nullable Trial trial) {
    SortedMap<ObjectKey, ConfigObject> wanted = wanted();
    if (wanted.isEmpty()) {
      return base.translation();
    }
    if (trial != null && Unit.all(trial.units).equals(wanted)) {
      return trial.translation;
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    for (ObjectKey key : moved) {
      ConfigObject object = wanted.get(key);
      changes.put(key, object == null ? base.get(key) : object);
    }
    return known.with(changes);
  }

  /** All that is not in the base as its author wants it. */
  private SortedMap<ObjectKey, ConfigObject> wanted() {
    SortedMap<ObjectKey, ConfigObject> wanted = new TreeMap<>();
    wishes.untried().forEach(object -> wanted.put(object.key(), object));
    for (Hold hold : holds.all()) {
      ConfigObject object = wishes.get(hold.key());
      if (object != null) {
        wanted.put(hold.key(), object);
      }
    }
    return wanted;
  }
}
