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
 * The newest generation of an object, and how far its rollout has come.
 *
 * @param object the newest generation
 * @param hold why this generation is not served; null if it is served, or still may be
 * @param committed whether this generation is part of the baseline, rather than only on trial
 * @param hasBaseline whether proxies have accepted any selection
 * @param inBaseline the generation in the baseline, which is what proxies are served unless this
 *     generation is on trial; 0 if nothing of the object is served
 * @param use how the object is in force if no resource contains any of it
 * @param missingPolicy why a policy for this object is not in force; null if there is none such
 * @param separate the state of the object in the rollouts of separate proxy classes, by class
 */
record DesiredState(
    TranslatedObject object,
    @Nullable Hold hold,
    boolean committed,
    boolean hasBaseline,
    long inBaseline,
    ResourcelessUse use,
    @Nullable Hold missingPolicy,
    SortedMap<String, DesiredState> separate) {
  static @Nullable DesiredState of(ObjectKey key, RolloutManager rollouts) {
    DesiredState common = of(key, rollouts.common());
    SortedMap<String, Rollout> others = rollouts.counting();
    if (common == null || others.isEmpty()) {
      return common;
    }
    SortedMap<String, DesiredState> separate = new TreeMap<>();
    others.forEach(
        (proxyClass, rollout) -> {
          DesiredState state = of(key, rollout);
          if (state != null) {
            separate.put(proxyClass, state);
          }
        });
    return new DesiredState(
        common.object,
        common.hold,
        common.committed,
        common.hasBaseline,
        common.inBaseline,
        common.use,
        common.missingPolicy,
        separate);
  }

  private static @Nullable DesiredState of(ObjectKey key, Rollout rollout) {
    TranslatedObject desired = rollout.desired().objects().get(key);
    if (desired == null) {
      return null;
    }
    boolean hasBaseline = rollout.hasBaseline();
    TranslatedObject served = hasBaseline ? rollout.baseline().objects().get(key) : null;
    boolean isPart = served != null && !served.footprint().isEmpty();
    ResourcelessUse use =
        isPart || !hasBaseline ? ResourcelessUse.NONE : ResourcelessUse.of(key, rollout);
    boolean nothing = !isPart && use == ResourcelessUse.NONE;
    long inBaseline = nothing ? 0 : rollout.served(key);
    Hold held = rollout.hold(key);
    Hold hold = held == null ? null : HoldText.told(held, rollout);
    boolean accepted = hold == null && hasBaseline && rollout.served(key) == desired.generation();
    return new DesiredState(
        accepted && served != null ? served : desired,
        hold,
        accepted || (hold == null && rollout.isFrozen()),
        hasBaseline,
        inBaseline,
        use,
        accepted ? missingPolicy(key, rollout) : null,
        Collections.emptySortedMap());
  }

  private static @Nullable Hold missingPolicy(ObjectKey key, Rollout rollout) {
    for (Hold hold : rollout.holds()) {
      if (hold.served() == 0 && key.equals(hold.guards())) {
        return hold;
      }
    }
    return null;
  }

  /** Whether the newest generation is held, rather than an older one while this is on trial. */
  private boolean isHeld() {
    return hold != null && hold.generation() == object.generation();
  }

  /**
   * The generation that is in force; 0 if none is. A committed generation is in force as soon as
   * any proxy runs it. As long as none does, all proxies run what they ran before.
   *
   * @param before the generation that was in force until now
   */
  long served(PollResult poll, long before) {
    if (poll.isFullyProgrammed()) {
      return object.generation();
    }
    if (inBaseline == 0) {
      return 0;
    }
    if (hold != null) {
      return hold.served();
    }
    if (use == ResourcelessUse.PERMISSION) {
      return inBaseline;
    }
    boolean runs = committed && poll.refusal() == null && poll.inForce().programmed() > 0;
    return runs ? inBaseline : Math.min(before, inBaseline);
  }

  /** The holds of the newest generation in separate proxy classes, by class. */
  SortedMap<String, Hold> heldByClass() {
    SortedMap<String, Hold> held = new TreeMap<>();
    for (Map.Entry<String, DesiredState> entry : separate.entrySet()) {
      Hold classHold = entry.getValue().hold();
      if (classHold != null && classHold.generation() == object.generation()) {
        held.put(entry.getKey(), classHold);
      }
    }
    return held;
  }

  /**
   * Counts the proxies that run, rejected or have not answered this generation. An object that
   * proxies rejected counts as rejected by all that it concerns, one that is held for another
   * reason was not shown to them, and an object on trial counts as pending everywhere: what a
   * status says must remain true after a crash.
   */
  PollResult poll(ProxyGroups fleet) {
    PollResult result = poll(fleet, proxyClass -> !separate.containsKey(proxyClass));
    for (Map.Entry<String, DesiredState> entry : separate.entrySet()) {
      result = result.plus(entry.getValue().poll(fleet, entry.getKey()::equals));
    }
    return result;
  }

  /** What the proxies that are unlike their class make of the generation that is served. */
  ProxyCounts diverged(ProxyGroups fleet) {
    ProxyGroups odd = fleet.diverged();
    return odd.isEmpty()
        ? ProxyCounts.NONE
        : FleetPoll.poll(object.key(), object.footprint(), odd, any -> true).all();
  }

  private PollResult poll(ProxyGroups fleet, Predicate<String> classes) {
    PollResult result = FleetPoll.poll(object.key(), object.footprint(), fleet, classes);
    if (hold == null && committed) {
      return result;
    }
    UnaryOperator<ProxyCounts> adjust =
        hold == null || !isHeld()
            ? DesiredState::allPending
            : hold.isFoundByProxies() ? DesiredState::allRejected : DesiredState::noneAsked;
    SortedMap<String, ProxyCounts> byClass = new TreeMap<>();
    result.byClass().forEach((name, counts) -> byClass.put(name, adjust.apply(counts)));
    ProxyCounts all = adjust.apply(result.all());
    return new PollResult(all, all, byClass, result.refusal(), result.inability());
  }

  private static ProxyCounts allPending(ProxyCounts counts) {
    return new ProxyCounts(counts.total(), 0, counts.total(), 0);
  }

  private static ProxyCounts noneAsked(ProxyCounts counts) {
    return new ProxyCounts(counts.total(), 0, 0, 0);
  }

  private static ProxyCounts allRejected(ProxyCounts counts) {
    return new ProxyCounts(counts.total(), 0, 0, counts.total());
  }
}
