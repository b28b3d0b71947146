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

/** What authors are told: nothing that a crash could make untrue. */
final class Statuses implements StatusSink {
  private final Disk disk;
  private final Map<ObjectKey, ObjectStatus> shown = new TreeMap<>();
  private final Set<ObjectKey> news = new TreeSet<>();

  Statuses(Disk disk) {
    this.disk = disk;
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
    }
    news.clear();
  }

  /** What an object's author sees of its being programmed; null if nothing. */
  @Nullable Condition programmed(ObjectKey key) {
    ObjectStatus status = shown.get(key);
    return status == null ? null : status.condition("Programmed");
  }
}
