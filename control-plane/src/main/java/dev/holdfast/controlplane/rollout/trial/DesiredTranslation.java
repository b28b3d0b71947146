// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.hold.HoldTable;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.Trial;
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
public final class DesiredTranslation {
  private final Baseline base;
  private final DesiredObjects wishes;
  private final HoldTable holds;
  private Translation known;

  /** What may be another object than it was. */
  private final SortedSet<ObjectKey> moved = new TreeSet<>();

  public DesiredTranslation(Baseline base, DesiredObjects wishes, HoldTable holds) {
    this.base = base;
    this.wishes = wishes;
    this.holds = holds;
    this.known = base.translation();
  }

  /** Objects became others, or are no more. */
  public void moved(Collection<ObjectKey> keys) {
    moved.addAll(keys);
  }

  /**
   * @param trial the one under way, which may be of all that is wanted; null if none is
   */
  public Translation get(@Nullable Trial trial) {
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
    if (trial != null && trial.objects().equals(wanted)) {
      return trial.translation();
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
