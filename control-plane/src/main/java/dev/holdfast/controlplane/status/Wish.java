// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.Fleet;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.rollout.Hold;
import dev.holdfast.controlplane.rollout.Rollout;
import dev.holdfast.controlplane.translate.Translated;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an author wants, and how far it has come.
 *
 * @param object the newest generation
 * @param hold why it is not served; null if it is, or may yet be
 */
record Wish(Translated object, @Nullable Hold hold) {
  static @Nullable Wish of(ObjectKey key, Rollout rollout) {
    Translated wanted = rollout.desired().objects().get(key);
    if (wanted == null) {
      return null;
    }
    Hold hold = rollout.hold(key);
    if (hold == null && rollout.served(key) == wanted.generation()) {
      Translated served = rollout.baseline().objects().get(key);
      return new Wish(served == null ? wanted : served, null);
    }
    return new Wish(wanted, hold);
  }

  /** What the fleet makes of it. One who is held counts as refused by all it concerns. */
  Judged judge(Fleet fleet) {
    Judged judged = Judge.judge(object.key(), object.footprint(), fleet);
    if (hold == null) {
      return judged;
    }
    SortedMap<String, ProxyCounts> byClass = new TreeMap<>();
    judged.byClass().forEach((name, counts) -> byClass.put(name, refused(counts)));
    return new Judged(refused(judged.all()), byClass, judged.refusal(), judged.inability());
  }

  private static ProxyCounts refused(ProxyCounts counts) {
    return new ProxyCounts(counts.total(), 0, 0, counts.total());
  }
}
