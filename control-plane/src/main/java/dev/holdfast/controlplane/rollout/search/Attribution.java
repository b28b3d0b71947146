// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.BundleBuilder;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search under way: which of the tried bundles caused a rejection. A value; each verdict gives
 * the next one.
 *
 * @param search the bundles that are left, and which of them to try next
 * @param rejection the last rejection
 * @param refuser the node that it came from
 * @param suspects the objects that contribute to the resource that was refused first
 * @param searchers the node of each class that tries the next step; empty if any node may. The
 *     proxies that refused go on trying: what one process accepts says nothing about another
 */
public record Attribution(
    Search search,
    Verdict.Refused rejection,
    String refuser,
    SortedMap<ObjectKey, ConfigObject> suspects,
    SortedMap<String, String> searchers) {
  public Attribution {
    suspects = Collections.unmodifiableSortedMap(new TreeMap<>(suspects));
    searchers = Collections.unmodifiableSortedMap(new TreeMap<>(searchers));
  }

  /** A trial was refused; null if no tried bundle can have caused it. */
  public static @Nullable Attribution begin(
      Trial trial, Verdict.Refused refused, String refuser, Baseline baseline) {
    Resource resource = refused.resource();
    List<Bundle> suspects = contributors(trial.bundles(), resource, baseline);
    if (suspects.isEmpty()) {
      if (resource.equals(baseline.translation().snapshot().get(resource.id()))) {
        return null;
      }
      suspects = trial.bundles(); // one of them changed it
    }
    SortedMap<ObjectKey, ConfigObject> contributing = Bundle.all(suspects);
    contributing.keySet().removeIf(key -> !baseline.contributes(key, resource));
    SortedMap<String, String> searchers = new TreeMap<>(trial.canaries());
    searchers.computeIfPresent(refused.proxyClass(), (proxyClass, canary) -> refuser);
    return new Attribution(
        Search.begin(
            trial.bundles(), suspects, ErrorHints.of(refused.message(), resource, suspects)),
        refused,
        refuser,
        contributing.isEmpty() ? Bundle.all(suspects) : contributing,
        searchers);
  }

  /**
   * The bundles whose contribution to a resource differs from the baseline's. All of them if an
   * object outside of them contributes to it for the first time, such as one that is included now:
   * any of them may have brought it in.
   */
  private static List<Bundle> contributors(
      List<Bundle> bundles, Resource resource, Baseline baseline) {
    if (baseline.isJoined(resource, Bundle.all(bundles).keySet())) {
      return bundles;
    }
    return bundles.stream()
        .filter(
            bundle ->
                bundle.objects().keySet().stream()
                    .anyMatch(key -> baseline.contributes(key, resource)))
        .toList();
  }

  /** The last step was refused. */
  public Attribution refused(Verdict.Refused refused, String by) {
    return new Attribution(search.refusedNext(), refused, by, suspects, searchers);
  }

  /** The last step was accepted, by the searchers. */
  public Attribution accepted() {
    return new Attribution(search.acceptedNext(), rejection, refuser, suspects, searchers);
  }

  /** What was accepted is part of the baseline now. */
  public Attribution committed() {
    return new Attribution(search.committed(), rejection, refuser, suspects, searchers);
  }

  /** Whether the cause is known, and what was accepted on the way is tried for everybody. */
  public boolean isPrefixDue() {
    return search.isPrefixDue();
  }

  /** Whether the searchers have accepted what is not part of the baseline yet. */
  public boolean isAhead() {
    return !search.accepted().isEmpty();
  }

  /** The same search without a node that left or did not answer. */
  public Attribution without(String node) {
    SortedMap<String, String> others = new TreeMap<>(searchers);
    others.values().remove(node);
    return searchedBy(others);
  }

  /** The same search by other nodes. */
  public Attribution searchedBy(SortedMap<String, String> nodes) {
    return new Attribution(search, rejection, refuser, suspects, nodes);
  }

  /**
   * The same search with the last bundle taken apart, if it is of several objects: which of these
   * it is has to be found as well.
   */
  public Attribution narrowed(Baseline baseline) {
    if (isAhead()) {
      return this;
    }
    Search current = search;
    for (Bundle last = current.offender();
        last != null && !last.isSingle();
        last = current.offender()) {
      List<Bundle> single = BundleBuilder.apart(last, key -> baseline.get(key) != null);
      if (single.size() == 1) {
        break; // a new policy and what it is for
      }
      List<Bundle> suspects = contributors(single, rejection.resource(), baseline);
      current =
          suspects.size() == 1
              ? Search.begin(single, suspects, List.of())
              : Search.inOrder(single); // an object goes before those that refer to it
    }
    return new Attribution(current, rejection, refuser, suspects, searchers);
  }

  /**
   * The object that caused the rejection; null if the search has not found it yet. Of a new policy
   * and what it is for, which are not tried apart, it is the policy, unless the error text points
   * elsewhere: to try the other alone would make it reachable without the policy.
   */
  public @Nullable ConfigObject offender() {
    Bundle last = search.offender();
    if (last == null) {
      return null;
    }
    List<Bundle> policies = new ArrayList<>();
    for (ConfigObject object : last.objects().values()) {
      if (ObjectReferences.policyTarget(object) != null) {
        policies.add(Bundle.of(object));
      }
    }
    if (last.isSingle() || policies.isEmpty()) {
      return last.objects().values().iterator().next();
    }
    List<Bundle> hinted = ErrorHints.of(rejection.message(), rejection.resource(), policies);
    return (hinted.isEmpty() ? policies : hinted).get(0).objects().values().iterator().next();
  }

  /**
   * Whether the offender was tried together with certain other objects, and not apart from them.
   */
  public boolean isTriedWithAny(Predicate<ConfigObject> which) {
    Bundle last = search.offender();
    ConfigObject offender = offender();
    return last != null
        && offender != null
        && last.objects().values().stream()
            .anyMatch(object -> !object.key().equals(offender.key()) && which.test(object));
  }

  /**
   * Whether the next step leaves out only the few bundles that the error text names. A proxy that
   * runs unknown content may be shown that: it takes away no more than what caused the rejection.
   */
  public boolean isHinted() {
    return search.isHinted();
  }

  /**
   * Whether the refused resource is no longer what the baseline and the bundles that are left would
   * give: something that contributed to it was deleted during the search, and may have been what
   * made another object bad.
   */
  public boolean isStale(Baseline baseline) {
    List<Bundle> left = new ArrayList<>(search.refused());
    if (gives(left, baseline)) {
      return false;
    }
    left.addAll(search.rest()); // it may need one of them
    return !gives(left, baseline);
  }

  private boolean gives(List<Bundle> bundles, Baseline baseline) {
    Resource refused = rejection.resource();
    return refused.equals(baseline.with(Bundle.all(bundles)).snapshot().get(refused.id()));
  }

  /** The last bundle: with it a selection is refused, and without it accepted. */
  public List<Bundle> last() {
    return search.refused();
  }

  /**
   * Whether the search is about an object: one of the bundles that are left contains it, or one
   * that is accepted and not part of the baseline yet.
   */
  public boolean concerns(ObjectKey key) {
    return search.refused().stream().anyMatch(bundle -> bundle.contains(key))
        || search.accepted().stream().anyMatch(bundle -> bundle.contains(key));
  }
}
