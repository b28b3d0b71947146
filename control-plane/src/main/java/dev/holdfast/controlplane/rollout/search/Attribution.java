// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.BundleBuilder;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The search that is under way, if one is: whom it asks, what it knows and what it may cost. */
public final class Attribution {
  private final Baseline base;
  private final IncidentRecorder incidents;
  private final Duration searchTime;
  private final UnaryOperator<String> sanitise;

  /** Those who refused go on trying: what one process accepts says nothing of another. */
  private final SortedMap<String, String> searchers = new TreeMap<>();

  private @Nullable Search search;

  /** What was refused and is no reason to start over once more; null if nothing is. */
  private @Nullable Resource doubted;

  private Verdict.@Nullable Refused evidence;
  private SortedMap<ObjectKey, ConfigObject> suspects = new TreeMap<>();

  public Attribution(
      Baseline base,
      IncidentRecorder incidents,
      Duration searchTime,
      UnaryOperator<String> sanitise) {
    this.base = base;
    this.incidents = incidents;
    this.searchTime = searchTime;
    this.sanitise = sanitise;
  }

  public boolean isUnderWay() {
    return search != null;
  }

  /** Who tries what comes next; empty if anybody may. */
  public SortedMap<String, String> searchers() {
    return search == null ? new TreeMap<>() : new TreeMap<>(searchers);
  }

  /** One of them is gone, or silent. */
  public void without(String node) {
    searchers.values().remove(node);
  }

  /** A trial was refused; false if nothing that was tried can have to do with it. */
  public boolean refused(Trial trial, Verdict.Refused refused) {
    if (search != null) {
      evidence = refused;
      incidents.refused();
      search = search.refusedNext();
      return true;
    }
    List<Bundle> suspects = contributors(trial.units, refused);
    if (suspects.isEmpty()) {
      if (refused.resource().equals(base.translation().snapshot().get(refused.resource().id()))) {
        return false;
      }
      suspects = trial.units; // somebody changed it
    }
    this.suspects = Bundle.all(suspects);
    SortedMap<ObjectKey, ConfigObject> contributors = new TreeMap<>(this.suspects);
    contributors.keySet().removeIf(key -> !base.contributes(key, refused.resource()));
    if (!contributors.isEmpty()) {
      this.suspects = contributors;
    }
    evidence = refused;
    searchers.clear();
    searchers.putAll(trial.canaries);
    incidents.begin(refused, sanitise.apply(refused.message()), trial);
    search =
        Search.begin(
            trial.units, suspects, ErrorHints.of(refused.message(), refused.resource(), suspects));
    return true;
  }

  /** Lets others do the search. */
  public void searchWith(SortedMap<String, String> nodes) {
    searchers.clear();
    searchers.putAll(nodes);
  }

  /**
   * Whether what is tried next is all but a few that the error text points at. That may be shown to
   * a proxy that runs something unknown: it takes away no more than what must be to blame.
   */
  public boolean mayTakeAway() {
    return search != null && search.isHinted();
  }

  /** Those who have a part in what was refused. */
  public SortedMap<ObjectKey, ConfigObject> suspects() {
    return suspects;
  }

  /** What was tried was accepted, by a search or as what is left after one. */
  public void accepted() {
    incidents.accepted();
    if (search == null) {
      incidents.end();
    } else {
      search = search.accepted();
    }
  }

  /** What to try next; empty if it is known who is to blame, or it takes too long to tell. */
  public List<Bundle> next() {
    Search current = search;
    while (current != null) {
      Bundle culprit = current.culprit();
      if (culprit == null) {
        return isOverBudget() ? List.of() : current.next();
      }
      if (culprit.isSingle()) {
        return List.of();
      }
      List<Bundle> apart = BundleBuilder.apart(culprit);
      List<Bundle> suspects = contributors(apart, evidence());
      current =
          suspects.size() == 1
              ? Search.begin(apart, suspects, List.of())
              : Search.inOrder(apart); // what others refer to goes first, suspect or not
      search = current;
    }
    return List.of();
  }

  /** The one to blame; null if that is not known. */
  public @Nullable ConfigObject culprit() {
    Bundle culprit = search == null ? null : search.culprit();
    return culprit == null ? null : culprit.objects().values().iterator().next();
  }

  /**
   * Ends the search without a result if what was refused last is no longer what would be served
   * with the one that is left: something went away meanwhile that had a part in it, and may have
   * been what made another one bad. What is left is tried as if nothing had been.
   */
  public boolean startOverIfStale() {
    boolean stale = isStale();
    if (stale) {
      doubted = evidence().resource();
      incidents.step("starting over: something that has to do with it is gone");
      search = null;
    }
    return stale;
  }

  private boolean isStale() {
    Search current = search;
    Resource refused = evidence().resource();
    if (current == null || refused.equals(doubted)) {
      return false;
    }
    List<Bundle> left = new ArrayList<>(current.refused());
    boolean stale = !isServedWith(left, refused);
    left.addAll(current.rest()); // it may need one of them
    return stale && !isServedWith(left, refused);
  }

  private boolean isServedWith(List<Bundle> units, Resource resource) {
    return resource.equals(base.with(Bundle.all(units)).snapshot().get(resource.id()));
  }

  /** What was refused last. */
  public Verdict.Refused evidence() {
    if (evidence == null) {
      throw new IllegalStateException("nothing was refused");
    }
    return evidence;
  }

  /**
   * Ends the search; the result is what is still under suspicion.
   *
   * @param what is done instead, for people
   */
  public List<Bundle> giveUp(String what) {
    List<Bundle> left = search == null ? List.of() : search.refused();
    incidents.step("gave up: " + what);
    search = null;
    return left;
  }

  public void end() {
    search = null;
  }

  /** An object is no more. */
  public void removed(ObjectKey key) {
    if (search != null && Bundle.all(search.refused()).containsKey(key)) {
      search = null;
    }
  }

  /**
   * The units that have another part in what was refused than they have in the base. All of them if
   * somebody has a part in it who is in none: one that is included now, or whose Service has come.
   * Any of them may have brought that one along.
   */
  private List<Bundle> contributors(List<Bundle> units, Verdict.Refused refused) {
    if (base.isJoined(refused.resource(), Bundle.all(units).keySet())) {
      return units;
    }
    return units.stream()
        .filter(
            unit ->
                unit.objects().keySet().stream()
                    .anyMatch(key -> base.contributes(key, refused.resource())))
        .toList();
  }

  private boolean isOverBudget() {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, incidents.units()));
    int most = (2 * bits + 8) * (1 + incidents.culprits());
    return incidents.pushes() > most || incidents.age().compareTo(searchTime) > 0;
  }
}
