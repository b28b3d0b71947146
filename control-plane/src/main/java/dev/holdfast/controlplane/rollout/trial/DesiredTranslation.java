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
 * The translation of all desired objects: what would be served if every one was accepted. Commits
 * and holds do not change it; only edits do, and changes that apply without a trial.
 */
public final class DesiredTranslation {
  private final Baseline baseline;
  private final DesiredObjects desired;
  private final HoldTable holds;
  private Translation known;

  /** Objects that may have changed since the last translation. */
  private final SortedSet<ObjectKey> moved = new TreeSet<>();

  public DesiredTranslation(Baseline baseline, DesiredObjects desired, HoldTable holds) {
    this.baseline = baseline;
    this.desired = desired;
    this.holds = holds;
    this.known = baseline.translation();
  }

  /** Objects changed, or were deleted. */
  public void moved(Collection<ObjectKey> keys) {
    moved.addAll(keys);
  }

  /**
   * @param trial the trial that is shown, which may be of all desired objects; null if none is
   */
  public Translation get(@Nullable Trial trial) {
    if (!moved.isEmpty()) {
      known = next(trial);
      moved.clear();
    }
    return known;
  }

  private Translation next(@Nullable Trial trial) {
    SortedMap<ObjectKey, ConfigObject> missing = missing();
    if (missing.isEmpty()) {
      return baseline.translation();
    }
    if (trial != null && trial.objects().equals(missing)) {
      return trial.translation();
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    for (ObjectKey key : moved) {
      ConfigObject object = missing.get(key);
      changes.put(key, object == null ? baseline.get(key) : object);
    }
    return known.with(changes);
  }

  /** All objects that the baseline does not have as their authors want them. */
  private SortedMap<ObjectKey, ConfigObject> missing() {
    SortedMap<ObjectKey, ConfigObject> missing = new TreeMap<>();
    desired.untried().forEach(object -> missing.put(object.key(), object));
    for (Hold hold : holds.all()) {
      ConfigObject object = desired.get(hold.key());
      if (object != null) {
        missing.put(hold.key(), object);
      }
    }
    return missing;
  }
}
