// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.Translation;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One proxy with a selection of its own, and the rollout that finds it. Loop only. */
final class OddProxy {
  /** A proxy that cannot run this many objects gets no others: nobody is helped by a search. */
  private static final int MOST_HELD = 100;

  /**
   * How long the proxy may take to run what it is shown at first. What it keeps of the selection of
   * its class may need something that its own does not have.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A search that gets nowhere for this long is given up. */
  private static final Duration STALL = Duration.ofMinutes(2);

  final ProxyFleet.Member member;
  final Rollout rollout;
  private final OddFleet fleet;

  /** When the latest search began. */
  private long began;

  private long lastProgress;
  private int lastHeld;
  private boolean stalled;

  /** The generations that the rollout was told of. */
  private final SortedMap<ObjectKey, ConfigObject> told = new TreeMap<>();

  private @Nullable Translation lastOfClass;
  private @Nullable Translation comparedOwn;
  private @Nullable Translation comparedOfClass;
  private @Nullable Translation lastTried;

  OddProxy(ProxyFleet.Member member, Rollout rollout, OddFleet fleet, long began) {
    this.began = began;
    this.lastProgress = began;
    this.member = member;
    this.rollout = rollout;
    this.fleet = fleet;
  }

  boolean isConnected() {
    return fleet.isConnected();
  }

  /**
   * Tells the rollout what has become the baseline of its class, and lets it go on.
   *
   * @param isLeftOut whether a generation is never shown to this proxy
   */
  void update(Rollout ofClass, Predicate<ConfigObject> isLeftOut, long now) {
    if (stalled) {
      return;
    }
    if (ofClass.hasBaseline() && ofClass.baseline() != lastOfClass) {
      lastOfClass = ofClass.baseline();
      lastProgress = now;
      SortedMap<ObjectKey, @Nullable ConfigObject> changes =
          changes(ofClass.selection(), isLeftOut);
      if (!changes.isEmpty()) {
        began = fleet.searching() ? now : began;
        rollout.change(changes);
      }
    }
    rollout.check();
    boolean isStuck =
        rollout.trial() == null
            && now - began >= PATIENCE.toNanos()
            && fleet.verdict(member.node()) instanceof Verdict.Open;
    if (rollout.isIdle() || isStuck) {
      fleet.showWhole();
    } else {
      fleet.publish();
    }
    giveUpIfStalled(now);
  }

  /** It refuses its selection, and there will be another one. */
  void awaitAnother() {
    fleet.awaitAnother();
  }

  /** It accepts its selection, or there will be no other one. */
  void stay() {
    fleet.stay();
  }

  /** When to look again if nothing happens; zero if only an event can help. */
  Duration wakeUp(long now) {
    if (stalled || rollout.isIdle()) {
      return Duration.ZERO;
    }
    long patience = PATIENCE.toNanos() - (now - began);
    return Duration.ofNanos(
        patience > 0 ? patience : Math.max(1, STALL.toNanos() - (now - lastProgress)));
  }

  /** The proxy stays with what it has accepted until its class is served something else. */
  private void giveUpIfStalled(long now) {
    if (rollout.isIdle() || rollout.baseline() != lastTried || rollout.holds().size() != lastHeld) {
      lastTried = rollout.baseline();
      lastHeld = rollout.holds().size();
      lastProgress = now;
    } else if (now - lastProgress >= STALL.toNanos()) {
      stalled = true;
      rollout.close();
      fleet.show(rollout.baseline().snapshot(), Set.of(), rollout.baseline().snapshot());
      fleet.showWhole();
    }
  }

  /** Whether the search was given up. */
  boolean isGivenUp() {
    return stalled;
  }

  /** Whether the search was given up, and may succeed with what the class is served now. */
  boolean isOutdated(Rollout ofClass) {
    return stalled && ofClass.baseline() != lastOfClass;
  }

  private SortedMap<ObjectKey, @Nullable ConfigObject> changes(
      Baseline ofClass, Predicate<ConfigObject> isLeftOut) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    boolean isFirst = told.isEmpty();
    boolean isHopeless = rollout.holds().size() >= MOST_HELD;
    for (ConfigObject object : ofClass.objects()) {
      ObjectKey key = object.key();
      ConfigObject wanted = isLeftOut.test(object) ? rollout.servedObject(key) : object;
      boolean tries = isFirst || !isHopeless || !Rollout.tries(key);
      if (tries && wanted != null && !Objects.equals(wanted, told.get(key))) {
        changes.put(key, wanted);
      }
    }
    for (ObjectKey key : told.keySet()) {
      if (ofClass.get(key) == null) {
        changes.put(key, null);
      }
    }
    changes.forEach(
        (key, object) -> {
          if (object == null) {
            told.remove(key);
          } else {
            told.put(key, object);
          }
        });
    return changes;
  }

  /**
   * Whether one of the two baselines has changed since the last call. What its class gets and the
   * proxy holds changes only one of them, and is a difference nevertheless.
   */
  boolean isChanged(Rollout ofClass) {
    boolean changed = rollout.baseline() != comparedOwn || ofClass.baseline() != comparedOfClass;
    comparedOwn = rollout.baseline();
    comparedOfClass = ofClass.baseline();
    return changed;
  }

  /** Whether the proxy refuses what it was believed to run. */
  boolean refusesItsOwn() {
    return rollout.trial() == null
        && fleet.verdict(member.node()) instanceof Verdict.Refused refused
        && rollout.refusesBaseline(refused);
  }

  /** Whether the proxy gets what its class gets. */
  boolean agreesWith(Rollout ofClass) {
    return rollout.isIdle()
        && rollout.holds().isEmpty()
        && ofClass.baseline() == lastOfClass
        && rollout.selection().looksLike(ofClass.baseline());
  }
}
