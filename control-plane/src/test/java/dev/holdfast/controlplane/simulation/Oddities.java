// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What authors write that is good for everybody but the odd proxy of each class. */
final class Oddities {
  private static final int PERCENT = 25;
  private static final Set<String> KINDS = Set.of("HTTPProxy", "Service", "ExtensionPolicy");

  private final Chance chance;
  private final Sketches sketches;

  Oddities(Chance chance, Sketches sketches) {
    this.chance = chance;
    this.sketches = sketches;
  }

  /** Some edits, of which some are nothing for odd proxies. */
  SortedMap<ObjectKey, @Nullable Sketch> in(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    SortedMap<ObjectKey, @Nullable Sketch> all = new TreeMap<>(edits);
    edits.forEach(
        (key, sketch) -> {
          if (sketch != null
              && sketch.flaw() == Flaw.NONE
              && KINDS.contains(key.kind())
              && chance.percent(PERCENT)) {
            all.put(key, sketches.of(key, Flaw.FOR_ODD));
          }
        });
    return all;
  }
}
