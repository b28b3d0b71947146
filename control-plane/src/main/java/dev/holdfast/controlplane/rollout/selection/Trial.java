// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.controlplane.translate.Translation;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A selection that is being shown to the canaries. */
public final class Trial {
  public final List<Bundle> units;

  /** The node of each class that tries it. */
  public final SortedMap<String, String> canaries;

  public final long began;
  public Translation translation;

  public Trial(
      List<Bundle> units, SortedMap<String, String> canaries, Translation translation, long began) {
    this.units = units;
    this.canaries = canaries;
    this.translation = translation;
    this.began = began;
  }

  /** The same for one of the classes by itself. */
  public Trial of(String proxyClass) {
    SortedMap<String, String> own = new TreeMap<>(canaries);
    own.keySet().retainAll(Set.of(proxyClass));
    return new Trial(units, own, translation, began);
  }
}
