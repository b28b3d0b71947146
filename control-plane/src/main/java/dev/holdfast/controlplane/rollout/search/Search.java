// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the units to blame. What is accepted is added to the base for good, so the base only grows
 * and no traffic is lost; the base with all of {@code refused} is known to be refused. Halving that
 * list ends at one unit with which the base is refused and without which it is accepted, whatever
 * the units have to do with each other.
 *
 * <p>A value: each verdict gives the next state.
 *
 * @param refused units with which, in this order, the base is refused
 * @param rest units that have not been tried on this base
 * @param hinted those of {@code refused} that the error text points at, if that has yet to be tried
 */
public record Search(List<Bundle> refused, List<Bundle> rest, List<Bundle> hinted) {
  public Search {
    refused = List.copyOf(refused);
    rest = List.copyOf(rest);
    hinted = List.copyOf(hinted);
    if (refused.isEmpty()) {
      throw new IllegalArgumentException("refused: none (expected: at least one)");
    }
  }

  /**
   * The base and all of some units was refused.
   *
   * @param suspects those that have a part in what was refused
   * @param hinted those of them that the error text points at
   */
  static Search begin(List<Bundle> units, List<Bundle> suspects, List<Bundle> hinted) {
    List<Bundle> order = new ArrayList<>();
    Set<ObjectKey> suspected = first(suspects);
    for (Bundle unit : units) {
      if (!suspected.contains(unit.objects().firstKey())) {
        order.add(unit);
      }
    }
    List<Bundle> innocents = List.copyOf(order);
    if (suspects.size() == 1) {
      return new Search(suspects, innocents, List.of());
    }
    Set<ObjectKey> pointedAt = first(hinted);
    for (Bundle unit : suspects) {
      if (!pointedAt.contains(unit.objects().firstKey())) {
        order.add(unit);
      }
    }
    order.addAll(hinted);
    boolean useful = !hinted.isEmpty() && hinted.size() < order.size();
    return new Search(order, List.of(), useful ? hinted : List.of());
  }

  /** The first object of each: no object is in two units. */
  private static Set<ObjectKey> first(List<Bundle> units) {
    Set<ObjectKey> first = new HashSet<>();
    units.forEach(unit -> first.add(unit.objects().firstKey()));
    return first;
  }

  /** The base and all of some units was refused; they are to be added in their order. */
  static Search inOrder(List<Bundle> units) {
    return new Search(units, List.of(), List.of());
  }

  /** The unit to blame; null if that is not known yet. */
  @Nullable Bundle culprit() {
    return refused.size() == 1 ? refused.get(0) : null;
  }

  /** Whether what is next is all but those that the error text points at. */
  boolean isHinted() {
    return !hinted.isEmpty();
  }

  /** What to add to the base next. */
  public List<Bundle> next() {
    if (!hinted.isEmpty()) {
      return refused.subList(0, refused.size() - hinted.size());
    }
    return refused.subList(0, refused.size() / 2);
  }

  /** The base with {@link #next} is the new base. */
  Search accepted() {
    return new Search(refused.subList(next().size(), refused.size()), rest, List.of());
  }

  /** The base with {@link #next} is refused. */
  Search refusedNext() {
    int tried = next().size();
    List<Bundle> later = new ArrayList<>(refused.subList(tried, refused.size()));
    later.addAll(rest);
    return new Search(refused.subList(0, tried), later, List.of());
  }
}
