// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A selection that is being shown to canaries: the baseline and some bundles of changes.
 *
 * @param bundles the changes that are tried
 * @param canaries the node of each class that tries them; empty if all proxies do
 * @param translation the selection as resources
 * @param began when it was first shown, on the clock of {@code System.nanoTime}
 */
public record Trial(
    List<Bundle> bundles, SortedMap<String, String> canaries, Translation translation, long began) {
  public Trial {
    bundles = List.copyOf(bundles);
    canaries = Collections.unmodifiableSortedMap(new TreeMap<>(canaries));
  }

  /** The tried objects by key. */
  public SortedMap<ObjectKey, ConfigObject> objects() {
    return Bundle.all(bundles);
  }

  /** The nodes that try it. */
  public Collection<String> nodes() {
    return canaries.values();
  }

  public boolean contains(ObjectKey key) {
    return bundles.stream().anyMatch(bundle -> bundle.contains(key));
  }

  /** The same trial after changes that apply without one; null for an object that was deleted. */
  public Trial with(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    return new Trial(bundles, canaries, translation.with(changes), began);
  }

  /** The same trial, tried by these nodes. */
  public Trial triedBy(SortedMap<String, String> nodes) {
    return new Trial(bundles, nodes, translation, began);
  }

  /** The same trial for one class alone. */
  public Trial of(String proxyClass) {
    SortedMap<String, String> own = new TreeMap<>(canaries);
    own.keySet().retainAll(Set.of(proxyClass));
    return triedBy(own);
  }
}
