// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.fleet.ProxyGroups;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.rollout.RolloutManager;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an author wants, and how far it has come.
 *
 * @param object the newest generation
 * @param hold why it is not served; null if it is, or may yet be
 * @param committed whether it is what is served from now on, and not only tried
 * @param separate the same for the classes of proxies that go their own way
 */
record DesiredState(
    TranslatedObject object,
    @Nullable Hold hold,
    boolean committed,
    SortedMap<String, DesiredState> separate) {
  static @Nullable DesiredState of(ObjectKey key, RolloutManager rollouts) {
    DesiredState common = of(key, rollouts.common());
    SortedMap<String, Rollout> others = rollouts.separate();
    if (common == null || others.isEmpty()) {
      return common;
    }
    SortedMap<String, DesiredState> separate = new TreeMap<>();
    others.forEach(
        (proxyClass, rollout) -> {
          DesiredState wish = of(key, rollout);
          if (wish != null) {
            separate.put(proxyClass, wish);
          }
        });
    return new DesiredState(common.object, common.hold, common.committed, separate);
  }

  private static @Nullable DesiredState of(ObjectKey key, Rollout rollout) {
    TranslatedObject wanted = rollout.desired().objects().get(key);
    if (wanted == null) {
      return null;
    }
    Hold hold = rollout.hold(key);
    if (hold == null && rollout.hasBaseline() && rollout.served(key) == wanted.generation()) {
      TranslatedObject served = rollout.baseline().objects().get(key);
      return new DesiredState(
          served == null ? wanted : served, null, true, Collections.emptySortedMap());
    }
    boolean stays = hold == null && rollout.isFrozen();
    return new DesiredState(wanted, hold, stays, Collections.emptySortedMap());
  }

  /** The classes that the newest generation is kept from although others may be served it. */
  SortedMap<String, Hold> heldByClass() {
    SortedMap<String, Hold> held = new TreeMap<>();
    for (Map.Entry<String, DesiredState> entry : separate.entrySet()) {
      Hold theirs = entry.getValue().hold();
      if (theirs != null && theirs.generation() == object.generation()) {
        held.put(entry.getKey(), theirs);
      }
    }
    return held;
  }

  /**
   * What the fleet makes of it. One who is held counts as refused by all it concerns, and one who
   * is only tried is not there yet: what is said must stay true after a crash.
   */
  PollResult judge(ProxyGroups fleet) {
    PollResult judged = judge(fleet, proxyClass -> !separate.containsKey(proxyClass));
    for (Map.Entry<String, DesiredState> entry : separate.entrySet()) {
      judged = judged.plus(entry.getValue().judge(fleet, entry.getKey()::equals));
    }
    return judged;
  }

  private PollResult judge(ProxyGroups fleet, Predicate<String> classes) {
    PollResult judged = FleetPoll.judge(object.key(), object.footprint(), fleet, classes);
    if (hold == null && committed) {
      return judged;
    }
    UnaryOperator<ProxyCounts> turn = hold == null ? DesiredState::tried : DesiredState::refused;
    SortedMap<String, ProxyCounts> byClass = new TreeMap<>();
    judged.byClass().forEach((name, counts) -> byClass.put(name, turn.apply(counts)));
    ProxyCounts all = turn.apply(judged.all());
    return new PollResult(all, all, byClass, judged.refusal(), judged.inability());
  }

  private static ProxyCounts tried(ProxyCounts counts) {
    return new ProxyCounts(counts.total(), 0, counts.total(), 0);
  }

  private static ProxyCounts refused(ProxyCounts counts) {
    return new ProxyCounts(counts.total(), 0, 0, counts.total());
  }
}
