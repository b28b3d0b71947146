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
 * What proxies are shown before anything was ever accepted: all there is. If that is refused, those
 * who try nothing out stay on it until it is known what is good of it, and so keep what they came
 * with.
 */
final class FirstContact {
  private final TrialFleet stage;
  private final CanarySelector canaries;
  private final Attribution attribution;

  /** Null if there is a base that all can be shown. */
  private @Nullable Translation shown;

  private long edition;
  private long since;

  /** Those who find out what is good of it. */
  private Set<String> scouts = Set.of();

  /** Whether there is no way to tell who is to blame, until somebody writes something else. */
  private boolean frozen;

  /** What was refused of all that is shown, and has been looked into. */
  private final Set<Resource> seen = new HashSet<>();

  FirstContact(TrialFleet stage, CanarySelector canaries, Attribution attribution) {
    this.stage = stage;
    this.canaries = canaries;
    this.attribution = attribution;
  }

  /** All are shown everything. */
  void begin(Trial everything, long ofEdition) {
    shown = everything.translation;
    since = everything.began;
    edition = ofEdition;
    frozen = false;
    seen.clear();
  }

  /** Whether what is wanted is what was shown. */
  boolean isOf(long wanted) {
    return wanted == edition;
  }

  boolean isFrozen() {
    return frozen;
  }

  /** Nothing more can be found out about what was refused. */
  void freeze(long ofEdition) {
    frozen = true;
    scouts = Set.of();
    edition = ofEdition;
  }

  /** What a proxy makes of all that is shown, but for what has been looked into. */
  Verdict verdict(String node) {
    return stage.verdict(node, seen::contains);
  }

  /** Something of what is shown was refused; these find out who is to blame. */
  void lookInto(Resource refused, Collection<String> nodes) {
    seen.add(refused);
    frozen = false;
    sendOut(nodes);
  }

  /** What was shown was refused; these go on. */
  private void sendOut(Collection<String> nodes) {
    scouts = Set.copyOf(nodes);
  }

  /** There is a base that all can be shown. */
  void end() {
    shown = null;
    scouts = Set.of();
  }

  boolean isGoingOn() {
    return shown != null;
  }

  /** For how long it has been going on. */
  long age(long now) {
    return now - since;
  }

  /** Takes changes that need no trial. */
  void apply(SortedMap<ObjectKey, @Nullable ConfigObject> atOnce) {
    if (shown != null) {
      shown = shown.with(atOnce);
    }
  }

  /** What those are shown who try nothing out. */
  Translation orElse(Translation base) {
    return shown == null ? base : shown;
  }

  /** Those who are shown the base, such as it is, between two trials. */
  Set<String> onTheBase() {
    return shown != null && canaries.areCold(scouts) ? scouts : Set.of();
  }

  boolean areScoutsGone() {
    return scouts.stream().allMatch(node -> stage.verdict(node) instanceof Verdict.Gone);
  }

  /** Who tries what comes next; empty if there is nobody, or somebody worth waiting for. */
  SortedMap<String, String> choose() {
    SortedMap<String, String> searchers = attribution.searchers();
    if (!searchers.isEmpty()) {
      return searchers;
    }
    return mustNotTakeAway() ? canaries.chooseCold(any -> true) : canaries.choose();
  }

  /** Whether there are proxies that would lose something nobody here knows of. */
  boolean mustNotTakeAway() {
    return shown != null && canaries.anyAdopted();
  }

  /**
   * Whether a search is worth what it takes away. What one object alone is a resource of stays as
   * proxies have it: there is nothing to find out, and nobody else to set free.
   */
  boolean maySearch() {
    return attribution.suspects().size() > 1
        && (attribution.mayTakeAway()
            || canaries.areCold(attribution.searchers().values())
            || useThoseWithNothingToLose());
  }

  /** Whether others than those who refused have nothing to lose, and so may go on without them. */
  boolean mayGoOnWithout(String proxyClass) {
    return attribution.suspects().size() > 1
        && !canaries.chooseCold(other -> !other.equals(proxyClass)).isEmpty();
  }

  /**
   * Lets a proxy search that runs nothing yet; false if there is none. It must be of the class that
   * refused: others may well accept it.
   */
  private boolean useThoseWithNothingToLose() {
    String refusing = attribution.evidence().proxyClass();
    SortedMap<String, String> chosen = canaries.chooseCold(refusing::equals);
    attribution.searchWith(chosen);
    sendOut(chosen.values());
    return !chosen.isEmpty();
  }
}
