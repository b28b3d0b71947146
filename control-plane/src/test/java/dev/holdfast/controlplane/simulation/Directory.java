// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where the objects of all authors lie, and what a control plane can read of them: it may be
 * emptied without any author wanting that, and come back bit by bit.
 */
final class Directory {
  private final Author author;
  private final Set<ObjectKey> missing = new TreeSet<>();

  Directory(Author author) {
    this.author = author;
  }

  /** All objects that can be read. */
  SortedMap<ObjectKey, ConfigObject> objects() {
    SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>(author.objects());
    objects.keySet().removeAll(missing);
    return objects;
  }

  /** What is missing beside what is there; nothing if everything is missing. */
  Set<ObjectKey> missingAmongOthers() {
    return objects().isEmpty() ? Set.of() : new TreeSet<>(missing);
  }

  boolean lacksSomething() {
    return !missing.isEmpty();
  }

  /** What an author writes is there, and what one deletes is not missing. */
  ObjectChanges edit(Set<ObjectKey> keys, Runnable edit) {
    return change(
        () -> {
          edit.run();
          missing.removeAll(keys);
        });
  }

  ObjectChanges empty() {
    return change(() -> missing.addAll(author.objects().keySet()));
  }

  ObjectChanges restore() {
    return change(missing::clear);
  }

  ObjectChanges restoreSome(Chance chance) {
    return change(() -> missing.removeIf(key -> chance.percent(50)));
  }

  private ObjectChanges change(Runnable what) {
    SortedMap<ObjectKey, ConfigObject> before = objects();
    what.run();
    return ObjectChanges.between(before, objects(), List.of());
  }
}
