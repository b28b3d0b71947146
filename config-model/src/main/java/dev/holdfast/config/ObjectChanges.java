// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What became different in a source since it last spoke.
 *
 * @param added objects that were not there
 * @param changed objects that are there in other words or at another place; the generation tells
 *     whether the body says something else
 * @param removed objects that are no longer there
 * @param problems everything that is wrong with the source now, not only what is new
 * @param notes what is to be said of single objects now, not only what is new
 * @param complete whether all of the source could be read; if not, there may be more objects
 */
public record ObjectChanges(
    SortedMap<ObjectKey, ConfigObject> added,
    SortedMap<ObjectKey, ConfigObject> changed,
    SortedSet<ObjectKey> removed,
    List<LocatedProblem> problems,
    SortedMap<ObjectKey, SourceNote> notes,
    boolean complete) {
  public ObjectChanges {
    added = Collections.unmodifiableSortedMap(new TreeMap<>(added));
    changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
    removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    problems = List.copyOf(problems);
    notes = Collections.unmodifiableSortedMap(new TreeMap<>(notes));
  }

  /** Those of a source that could be read, and has nothing to say of single objects. */
  public ObjectChanges(
      SortedMap<ObjectKey, ConfigObject> added,
      SortedMap<ObjectKey, ConfigObject> changed,
      SortedSet<ObjectKey> removed,
      List<LocatedProblem> problems) {
    this(added, changed, removed, problems, Collections.emptySortedMap(), /* complete= */ true);
  }

  /** The same changes with what is to be said of single objects. */
  public ObjectChanges with(SortedMap<ObjectKey, SourceNote> newNotes, boolean isComplete) {
    return new ObjectChanges(added, changed, removed, problems, newNotes, isComplete);
  }

  /** What leads from one set of objects to another. */
  public static ObjectChanges between(
      SortedMap<ObjectKey, ConfigObject> before,
      SortedMap<ObjectKey, ConfigObject> after,
      List<LocatedProblem> problems) {
    SortedMap<ObjectKey, ConfigObject> added = new TreeMap<>();
    SortedMap<ObjectKey, ConfigObject> changed = new TreeMap<>();
    after.forEach(
        (key, object) -> {
          ConfigObject earlier = before.get(key);
          if (earlier == null) {
            added.put(key, object);
          } else if (!earlier.equals(object)) {
            changed.put(key, object);
          }
        });
    SortedSet<ObjectKey> removed = new TreeSet<>(before.keySet());
    removed.removeAll(after.keySet());
    return new ObjectChanges(added, changed, removed, problems);
  }

  /** Whether no object was added, changed or removed; the problems may differ. */
  public boolean hasNoObjectChanges() {
    return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
  }
}
