// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Policies that proxies die of, and how many of them may. */
final class Poison {
  private static final int PERCENT = 40;

  /** No change costs a class more. */
  private static final int MOST_DEATHS = 2;

  private final Chance chance;
  private final Sketches sketches;
  private int written;
  private int excused;

  Poison(Chance chance, Sketches sketches) {
    this.chance = chance;
    this.sketches = sketches;
  }

  /** Some edits, with poison in them. */
  SortedMap<ObjectKey, @Nullable Sketch> in(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    SortedMap<ObjectKey, @Nullable Sketch> poisoned = new TreeMap<>(edits);
    edits.forEach(
        (key, sketch) -> {
          if (sketch != null && Names.isPolicy(key)) {
            if (chance.percent(PERCENT)) {
              poisoned.put(key, sketches.of(key, Flaw.DEADLY));
            }
          }
        });
    poisoned.forEach(
        (key, sketch) -> written += sketch != null && sketch.flaw() == Flaw.DEADLY ? 1 : 0);
    return poisoned;
  }

  /** A death that is not counted: before anything was accepted, all are shown everything. */
  void excuse() {
    excused++;
  }

  /** A control plane that crashes forgets a death that was not written yet. */
  void crashed() {
    excused++;
  }

  void check(List<Member> members, String group) {
    int deaths =
        members.stream()
            .filter(member -> member.taste.group.equals(group))
            .mapToInt(Member::deaths)
            .sum();
    if (deaths > MOST_DEATHS * written + excused) {
      throw new Broken(deaths + " proxies of class " + group + " died of " + written + " changes");
    }
  }
}
