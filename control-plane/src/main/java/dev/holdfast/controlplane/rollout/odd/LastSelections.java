// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.proxyclass.ClassDifferences;
import dev.holdfast.controlplane.rollout.proxyclass.FleetRolloutObserver;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How the last selection of each odd proxy differs from that of its class, also of proxies that
 * have left and may come back. Stored like the selection of a class. Loop only.
 */
public final class LastSelections {
  /** No class has a name that begins like this: their parts have no blanks. */
  private static final String PREFIX = " proxy ";

  private static final int MOST = 64;

  private final ProxyFleet fleet;
  private final ClassDifferences differences;

  /** The latest last. */
  private final Set<String> names = new LinkedHashSet<>();

  public LastSelections(ProxyFleet fleet, FleetRolloutObserver observer) {
    this.fleet = fleet;
    this.differences = new ClassDifferences(observer);
  }

  /** Whether something that is stored under the name of a class belongs to a proxy. */
  public static boolean isOfProxy(String proxyClass) {
    return proxyClass.startsWith(PREFIX);
  }

  /** Restores what an earlier process stored. */
  public void restore(String name, ObjectKey key, @Nullable ConfigObject served) {
    names.add(name);
    differences.restore(name, key, served);
  }

  /** A proxy runs a selection. It is not kept if another process may come back as this one. */
  void keep(String node, Baseline own, Baseline ofClass) {
    if (fleet.sharesNodeId(node)) {
      forget(node);
      return;
    }
    String name = PREFIX + node;
    names.remove(name);
    names.add(name);
    differences.compare(name, own, ofClass);
    for (String oldest : List.copyOf(names)) {
      if (names.size() > MOST || !differences.has(oldest)) {
        names.remove(oldest);
        differences.clear(oldest);
      }
    }
  }

  /** A proxy runs what its class runs. */
  void forget(String node) {
    names.remove(PREFIX + node);
    differences.clear(PREFIX + node);
  }

  /** Null for an object that it does not get; null if nothing is known of the proxy. */
  @Nullable SortedMap<ObjectKey, @Nullable ConfigObject> of(String node) {
    String name = PREFIX + node;
    return differences.has(name) && !fleet.sharesNodeId(node) ? differences.get(name) : null;
  }

  /** An object was deleted. */
  public void deleted(ObjectKey key) {
    differences.forget(key);
  }

  /** Forgets all other objects: they were deleted while this server was not running. */
  public void retain(Set<ObjectKey> live) {
    differences.retain(live);
  }

  boolean has(ConfigObject object) {
    for (String name : differences.classes()) {
      ConfigObject served = differences.get(name).get(object.key());
      if (served != null && served.generation() == object.generation()) {
        return true;
      }
    }
    return false;
  }
}
