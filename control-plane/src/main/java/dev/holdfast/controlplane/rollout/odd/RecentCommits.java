// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the latest commits and deletions of a rollout replaced: a proxy that refuses one of them, or
 * was away since, runs what was served before it. Loop only.
 */
public final class RecentCommits {
  private static final int MOST = 32;

  /** Of one commit. A proxy that refuses a larger one keeps what it has. */
  private static final int MOST_OBJECTS = 1_000;

  private final Deque<Step> commits = new ArrayDeque<>();

  /**
   * How to go back by some commits.
   *
   * @param changes what to replace in a selection
   * @param before what was served before these commits
   */
  record Step(SortedMap<ObjectKey, @Nullable ConfigObject> changes, Snapshot before) {}

  /** The baseline is about to take some objects. */
  public void add(Collection<ConfigObject> objects, Baseline before) {
    if (!before.isEstablished()) {
      return;
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> replaced = new TreeMap<>();
    if (objects.size() <= MOST_OBJECTS) {
      objects.forEach(object -> replaced.put(object.key(), before.get(object.key())));
    } else {
      commits.clear();
    }
    commits.addFirst(new Step(replaced, before.translation().snapshot()));
    while (commits.size() > MOST) {
      commits.removeLast();
    }
  }

  /**
   * Objects are about to change, null for one that is deleted. A deletion is not taken back, but
   * what was served before it may be run by proxies that have yet to learn of it.
   */
  public void deleting(SortedMap<ObjectKey, @Nullable ConfigObject> changes, Rollout rollout) {
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> change : changes.entrySet()) {
      TranslatedObject object = rollout.baseline().objects().get(change.getKey());
      boolean isEndpoints = change.getKey().kind().equals(EndpointSlice.KIND);
      if (change.getValue() == null
          && !isEndpoints
          && object != null
          && !object.footprint().isEmpty()) {
        add(List.of(), rollout.selection());
        return;
      }
    }
  }

  /** How to go back by one commit, by two, and so on. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>();
    for (Step commit : commits) {
      all.putAll(commit.changes);
      steps.add(new Step(new TreeMap<>(all), commit.before));
    }
    return steps;
  }
}
