// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.StatusSink;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What authors are told: nothing that a crash could make untrue, and of nobody that was refused who
 * cannot have been.
 */
final class Statuses implements StatusSink {
  private final Author author;
  private final Disk disk;
  private final Set<String> classes;
  private final Map<ObjectKey, ObjectStatus> shown = new TreeMap<>();
  private final Set<ObjectKey> news = new TreeSet<>();

  Statuses(Author author, Disk disk, Set<String> classes) {
    this.author = author;
    this.disk = disk;
    this.classes = classes;
  }

  @Override
  public void report(Map<ObjectKey, ObjectStatus> changed) {
    shown.putAll(changed);
    news.addAll(changed.keySet());
  }

  /** Looks at what was shown since it was last called. */
  void check() {
    for (ObjectKey key : news) {
      ObjectStatus status = shown.get(key);
      if (status == null || !status.equals(disk.status(key))) {
        throw new Broken(
            "shown, but not stored: %s is %s, stored is %s"
                .formatted(key, status, disk.status(key)));
      }
      Condition programmed = status.condition("Programmed");
      if (programmed != null
          && programmed.reason().startsWith("Rejected")
          && !Closure.wasEverFlawed(key, author, classes)) {
        throw new Broken("never bad, but shown as refused: " + key + ", " + programmed);
      }
    }
    news.clear();
  }

  /** What an object's author sees of its being programmed; null if nothing. */
  @Nullable Condition programmed(ObjectKey key) {
    ObjectStatus status = shown.get(key);
    return status == null ? null : status.condition("Programmed");
  }
}
