// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A selection that is being shown to canaries: the baseline and some bundles of changes.
 *
 * @param bundles the changes that are tried
 * @param canaries the node of each class that tries them; empty if all proxies do
 * @param seconds the node of each class that is asked as well, after the canary; empty if none is
 * @param translation the selection as resources
 * @param began when it was first shown, on the clock of {@code System.nanoTime}
 */
public record Trial(
    List<Bundle> bundles,
    SortedMap<String, String> canaries,
    SortedMap<String, String> seconds,
    Translation translation,
    long began) {
  public Trial {
    bundles = List.copyOf(bundles);
    canaries = Collections.unmodifiableSortedMap(new TreeMap<>(canaries));
    seconds = Collections.unmodifiableSortedMap(new TreeMap<>(seconds));
  }

  /** A trial that one node of each class is shown. */
  public Trial(
      List<Bundle> bundles,
      SortedMap<String, String> canaries,
      Translation translation,
      long began) {
    this(bundles, canaries, new TreeMap<>(), translation, began);
  }

  /** The tried objects by key. */
  public SortedMap<ObjectKey, ConfigObject> objects() {
    return Bundle.all(bundles);
  }

  /** The nodes that try it. */
  public Collection<String> nodes() {
    if (seconds.isEmpty()) {
      return canaries.values();
    }
    List<String> nodes = new ArrayList<>(canaries.values());
    nodes.addAll(seconds.values());
    return nodes;
  }

  /** The class that a node tries it for; empty if it does not try it. */
  public String classOf(String node) {
    for (SortedMap<String, String> some : List.of(canaries, seconds)) {
      for (Map.Entry<String, String> entry : some.entrySet()) {
        if (entry.getValue().equals(node)) {
          return entry.getKey();
        }
      }
    }
    return "";
  }

  public boolean contains(ObjectKey key) {
    return bundles.stream().anyMatch(bundle -> bundle.contains(key));
  }

  /** The same trial after changes that apply without one; null for an object that was deleted. */
  public Trial with(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    return new Trial(bundles, canaries, seconds, translation.with(changes), began);
  }

  /** The same trial, tried by these nodes. */
  public Trial triedBy(SortedMap<String, String> nodes) {
    return new Trial(bundles, nodes, translation, began);
  }

  /** The same trial, also shown to a second node of some classes from now on. */
  public Trial confirmedBy(SortedMap<String, String> nodes, long now) {
    return new Trial(bundles, canaries, nodes, translation, now);
  }

  /** The same trial for one class alone. */
  public Trial of(String proxyClass) {
    SortedMap<String, String> own = new TreeMap<>(canaries);
    own.keySet().retainAll(Set.of(proxyClass));
    SortedMap<String, String> second = new TreeMap<>(seconds);
    second.keySet().retainAll(Set.of(proxyClass));
    return new Trial(bundles, own, second, translation, began);
  }
}
