// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What proxies are shown before there is a baseline: every desired object. If a proxy refuses a
 * part of it, the proxies that do not take part in the search stay on everything until the baseline
 * is known, and so keep what they came with.
 */
final class FirstContact {
  private final TrialFleet fleet;
  private final CanarySelector canaries;

  /** Null once there is a baseline that all proxies can be shown. */
  private @Nullable Translation shown;

  /** The changes that are shown. */
  private @Nullable Trial everything;

  private long edition;
  private long since;

  /** The nodes that search for the cause of a rejection. */
  private Set<String> searchers = Set.of();

  /** The last search that was begun here; null if there was none. */
  private @Nullable Attribution lastSearch;

  /** Refused resources whose rejection has been attributed already. */
  private final Set<Resource> attributed = new HashSet<>();

  FirstContact(TrialFleet fleet, CanarySelector canaries) {
    this.fleet = fleet;
    this.canaries = canaries;
  }

  /** All proxies are shown everything. */
  void begin(Trial all, long ofEdition) {
    show(all);
    since = all.began();
    edition = ofEdition;
    attributed.clear();
  }

  /** All proxies that do not search are shown this. */
  void show(Trial all) {
    shown = all.translation();
    everything = all;
  }

  /** What a proxy is shown as all others are; null if it takes part in a trial. */
  @Nullable Trial shownTo(String node, @Nullable Trial trial) {
    boolean isCanary = searchers.contains(node) || (trial != null && trial.nodes().contains(node));
    return shown == null || isCanary ? null : everything;
  }

  /** Whether what is shown is what is desired. */
  boolean isOf(long desired) {
    return desired == edition;
  }

  /** The cause of a rejection cannot be found; this edition of the objects stays as it is shown. */
  void freeze(long ofEdition) {
    searchers = Set.of();
    edition = ofEdition;
  }

  /** A proxy's verdict on everything, except for rejections that were attributed already. */
  Verdict verdict(String node) {
    return fleet.verdict(node, attributed::contains);
  }

  /** A proxy refused a resource; these nodes search for the cause. */
  void refused(Resource resource, Collection<String> nodes) {
    attributed.add(resource);
    searchers = Set.copyOf(nodes);
  }

  /** A search goes on, by these nodes. */
  void searchWith(Collection<String> nodes) {
    searchers = Set.copyOf(nodes);
  }

  void searching(Attribution attribution) {
    lastSearch = attribution;
  }

  @Nullable Attribution lastSearch() {
    return lastSearch;
  }

  /** There is a baseline that all proxies can be shown. */
  void end() {
    shown = null;
    searchers = Set.of();
  }

  boolean isGoingOn() {
    return shown != null;
  }

  long age(long now) {
    return now - since;
  }

  /** Applies changes that need no trial. */
  void apply(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    if (shown != null) {
      shown = shown.with(changes);
    }
  }

  /** What proxies are shown that do not take part in a trial. */
  Translation shownOr(Translation baseline) {
    return shown == null ? baseline : shown;
  }

  /** The nodes that are shown the baseline, however small, between two steps of a search. */
  Set<String> shownBaseline() {
    return shown != null && canaries.areCold(searchers) ? searchers : Set.of();
  }

  boolean areSearchersGone() {
    return searchers.stream().allMatch(node -> fleet.verdict(node).kind() == Verdict.Kind.GONE);
  }

  /** Whether some proxies run content that this server does not know, and would lose it. */
  boolean mustNotTakeAway() {
    return shown != null && canaries.anyAdopted();
  }
}
