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
 * A bisection that finds the bundle which caused a rejection. Accepted bundles become part of the
 * baseline, so the baseline only grows and no traffic is lost. The baseline with all of {@code
 * refused} is known to be refused. Halving that list ends at one bundle with which the baseline is
 * refused and without which it is accepted, however the bundles depend on each other.
 *
 * <p>A value: each verdict gives the next state.
 *
 * @param refused bundles with which, in this order, the baseline is refused
 * @param rest bundles that have not been tried on this baseline
 * @param hinted the bundles of {@code refused} that the error text points at, until that is tried
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
   * The baseline with all of some bundles was refused.
   *
   * @param suspects the bundles that contribute to the refused resource
   * @param hinted the suspects that the error text points at
   */
  static Search begin(List<Bundle> bundles, List<Bundle> suspects, List<Bundle> hinted) {
    List<Bundle> order = new ArrayList<>();
    Set<ObjectKey> suspected = first(suspects);
    for (Bundle bundle : bundles) {
      if (!suspected.contains(bundle.objects().firstKey())) {
        order.add(bundle);
      }
    }
    List<Bundle> innocents = List.copyOf(order);
    if (suspects.size() == 1) {
      return new Search(suspects, innocents, List.of());
    }
    Set<ObjectKey> pointedAt = first(hinted);
    for (Bundle bundle : suspects) {
      if (!pointedAt.contains(bundle.objects().firstKey())) {
        order.add(bundle);
      }
    }
    order.addAll(hinted);
    boolean useful = !hinted.isEmpty() && hinted.size() < order.size();
    return new Search(order, List.of(), useful ? hinted : List.of());
  }

  /** The first object of each bundle: no object is in two bundles. */
  private static Set<ObjectKey> first(List<Bundle> bundles) {
    Set<ObjectKey> first = new HashSet<>();
    bundles.forEach(bundle -> first.add(bundle.objects().firstKey()));
    return first;
  }

  /** The baseline with all of some bundles was refused; they are added in their order. */
  static Search inOrder(List<Bundle> bundles) {
    return new Search(bundles, List.of(), List.of());
  }

  /** The bundle that caused the rejection; null if it is not known yet. */
  @Nullable Bundle offender() {
    return refused.size() == 1 ? refused.get(0) : null;
  }

  /** Whether the next step is everything except what the error text points at. */
  boolean isHinted() {
    return !hinted.isEmpty();
  }

  /** The bundles to add to the baseline next. */
  public List<Bundle> next() {
    if (!hinted.isEmpty()) {
      return refused.subList(0, refused.size() - hinted.size());
    }
    return refused.subList(0, refused.size() / 2);
  }

  /** The baseline with {@link #next} was accepted, and is the new baseline. */
  Search accepted() {
    return new Search(refused.subList(next().size(), refused.size()), rest, List.of());
  }

  /** The baseline with {@link #next} was refused. */
  Search refusedNext() {
    int tried = next().size();
    List<Bundle> later = new ArrayList<>(refused.subList(tried, refused.size()));
    later.addAll(rest);
    return new Search(refused.subList(0, tried), later, List.of());
  }
}
