// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the latest commits of a rollout replaced: a proxy that refuses one of them runs what was
 * served before it. Loop only.
 */
public final class RecentCommits {
  private static final int MOST = 16;

  /** Of one commit. A proxy that refuses a larger one keeps what it has. */
  private static final int MOST_OBJECTS = 1_000;

  private final Deque<SortedMap<ObjectKey, @Nullable ConfigObject>> commits = new ArrayDeque<>();

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
    commits.addFirst(replaced);
    while (commits.size() > MOST) {
      commits.removeLast();
    }
  }

  /** What to replace in a selection to go back by one commit, by two, and so on. */
  List<SortedMap<ObjectKey, @Nullable ConfigObject>> steps() {
    List<SortedMap<ObjectKey, @Nullable ConfigObject>> steps = new ArrayList<>();
    SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>();
    for (SortedMap<ObjectKey, @Nullable ConfigObject> commit : commits) {
      all.putAll(commit);
      steps.add(new TreeMap<>(all));
    }
    return steps;
  }
}
