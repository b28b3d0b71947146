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
 * A bisection that finds the bundle which caused a rejection. Each step adds bundles to those that
 * were accepted, so no step takes away what an earlier one brought. The baseline with all of {@code
 * accepted} is known to be accepted, and with all of {@code refused} on top to be refused. Halving
 * that list ends at one bundle with which it is refused and without which it is accepted, however
 * the bundles depend on each other.
 *
 * <p>Where the class has another proxy to ask, the accepted bundles become part of the baseline
 * when the search is over, and that proxy has accepted them too; where it has not, after each step.
 *
 * <p>A value: each verdict gives the next state.
 *
 * @param accepted bundles that are not part of the baseline yet, and are accepted on top of it
 * @param refused bundles with which, in this order, that is refused
 * @param rest bundles that have not been tried on this baseline
 * @param hinted the bundles of {@code refused} that the error text points at, until that is tried
 */
public record Search(
    List<Bundle> accepted, List<Bundle> refused, List<Bundle> rest, List<Bundle> hinted) {
  public Search {
    accepted = List.copyOf(accepted);
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
      return new Search(List.of(), suspects, innocents, List.of());
    }
    Set<ObjectKey> pointedAt = first(hinted);
    for (Bundle bundle : suspects) {
      if (!pointedAt.contains(bundle.objects().firstKey())) {
        order.add(bundle);
      }
    }
    order.addAll(hinted);
    boolean useful = !hinted.isEmpty() && hinted.size() < order.size();
    return new Search(List.of(), order, List.of(), useful ? hinted : List.of());
  }

  /** The first object of each bundle: no object is in two bundles. */
  private static Set<ObjectKey> first(List<Bundle> bundles) {
    Set<ObjectKey> first = new HashSet<>();
    bundles.forEach(bundle -> first.add(bundle.objects().firstKey()));
    return first;
  }

  /** The baseline with all of some bundles was refused; they are added in their order. */
  static Search inOrder(List<Bundle> bundles) {
    return new Search(List.of(), bundles, List.of(), List.of());
  }

  /** The bundle that caused the rejection; null if it is not known yet. */
  @Nullable Bundle offender() {
    return refused.size() == 1 ? refused.get(0) : null;
  }

  /** Whether the next step is everything except what the error text points at. */
  boolean isHinted() {
    return !hinted.isEmpty();
  }

  /** Whether the cause is known, and what was accepted on the way can go to everybody. */
  boolean isPrefixDue() {
    return refused.size() == 1 && !accepted.isEmpty();
  }

  /** The bundles to try on top of the baseline next. */
  public List<Bundle> next() {
    return isPrefixDue() ? accepted : with(refused.subList(0, half()));
  }

  private int half() {
    return hinted.isEmpty() ? refused.size() / 2 : refused.size() - hinted.size();
  }

  private List<Bundle> with(List<Bundle> more) {
    List<Bundle> all = new ArrayList<>(accepted);
    all.addAll(more);
    return all;
  }

  /** The baseline with {@link #next} was accepted. */
  Search acceptedNext() {
    int tried = isPrefixDue() ? 0 : half();
    return new Search(
        with(refused.subList(0, tried)), refused.subList(tried, refused.size()), rest, List.of());
  }

  /** What was accepted is part of the baseline now. */
  Search committed() {
    return new Search(List.of(), refused, rest, hinted);
  }

  /** The baseline with {@link #next} was refused. */
  Search refusedNext() {
    int tried = half();
    List<Bundle> later = new ArrayList<>(refused.subList(tried, refused.size()));
    later.addAll(rest);
    return new Search(accepted, refused.subList(0, tried), later, List.of());
  }
}
