// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the latest commits replaced, until most proxies run what they were committed with. Till then
 * it may turn out that those who were asked are not like the others, and a commit is undone.
 */
public final class ReplacedObjects {
  /**
   * More changes than this have never been on their way to proxies at once; the oldest go first.
   */
  private static final int MOST = 100;

  /** One commit: what it brought, and what was there before; null where nothing was. */
  private record Commit(
      SortedMap<ObjectKey, Long> generations,
      SortedMap<ObjectKey, @Nullable ConfigObject> before) {}

  private final List<Commit> commits = new ArrayList<>();

  /** The baseline is about to take some objects. */
  public void add(Collection<ConfigObject> objects, Baseline baseline) {
    Commit commit = new Commit(new TreeMap<>(), new TreeMap<>());
    for (ConfigObject object : objects) {
      commit.generations.put(object.key(), object.generation());
      commit.before.put(object.key(), baseline.get(object.key()));
    }
    add(commit);
  }

  /** Restores one object of an earlier process. */
  public void restore(ObjectKey key, long generation, @Nullable ConfigObject before) {
    Commit commit = new Commit(new TreeMap<>(), new TreeMap<>());
    commit.generations.put(key, generation);
    commit.before.put(key, before);
    add(commit);
  }

  private void add(Commit commit) {
    if (commits.size() == MOST) {
      commits.remove(0);
    }
    commits.add(commit);
  }

  public boolean isEmpty() {
    return commits.isEmpty();
  }

  /**
   * Takes the latest commit that brought something to a resource, and is still in force. Gives what
   * it replaced; empty if there is no such commit.
   *
   * @param runs whether those who refuse the resource run an object as it is: then it is not what
   *     they refuse
   */
  public SortedMap<ObjectKey, @Nullable ConfigObject> take(
      Resource refused, Baseline baseline, Predicate<ObjectKey> runs) {
    for (int i = commits.size() - 1; i >= 0; i--) {
      Commit commit = commits.get(i);
      SortedMap<ObjectKey, @Nullable ConfigObject> found = new TreeMap<>();
      commit.generations.forEach(
          (key, generation) -> {
            if (generation == baseline.generation(key)
                && refused.contributions().get(key) != null
                && !runs.test(key)) {
              found.put(key, commit.before.get(key));
            }
          });
      if (!found.isEmpty()) {
        commits.remove(i);
        return found;
      }
    }
    return new TreeMap<>();
  }

  /** Most proxies run everything; the objects that this was about. */
  public SortedSet<ObjectKey> clear() {
    SortedSet<ObjectKey> keys = new TreeSet<>();
    commits.forEach(commit -> keys.addAll(commit.generations.keySet()));
    commits.clear();
    return keys;
  }
}
