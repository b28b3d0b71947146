// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.hold.Probation;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.search.ConflictFinder;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.search.Search;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.StaleClaims;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.translate.Translation;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One trial after the other. Idle, all that is wanted and not in the base is tried at once; if that
 * is refused, a {@link Search} goes on from the base until it has found whom to blame, who is held;
 * then what is left is tried.
 */
final class RolloutMachine {
  private final RolloutOptions options;
  private final TrialFleet stage;
  private final TimeSource time;
  private final RolloutObserver observer;
  private final Baseline base;
  private final DesiredObjects wishes;
  private final HoldManager convictions;
  private final IncidentRecorder incidents;
  private final Attribution attribution;
  private final ChangeIntake intake;
  private final DesiredTranslation desired;
  private final CanarySelector canaries;
  private final StaleClaims ghosts;
  private final Probation lanes;
  private final SlowRelease slow;
  private final WakeUpTimer alarm;
  private final FirstContact first;
  private final TrialPublisher display;
  private final PendingWrites unwritten;

  private boolean everAccepted;
  private boolean sourceSpoke;
  private @Nullable Trial trial;
  private boolean closed;

  RolloutMachine(Parts parts, Loop loop) {
    this.options = parts.options();
    this.stage = parts.stage();
    this.time = parts.time();
    this.observer = parts.observer();
    this.base = parts.base();
    this.wishes = parts.wishes();
    this.convictions = parts.convictions();
    this.incidents = parts.incidents();
    this.attribution = parts.attribution();
    this.intake = parts.intake();
    this.desired = parts.desired();
    this.canaries = new CanarySelector(stage, time, options);
    this.ghosts = new StaleClaims(base, wishes);
    this.lanes = new Probation(parts.holds(), time, options.probation());
    this.slow = new SlowRelease(wishes, time, options.release());
    this.alarm = new WakeUpTimer(time, loop, this::check);
    this.first = new FirstContact(stage, canaries, attribution);
    this.display = new TrialPublisher(parts, first);
    this.unwritten = new PendingWrites(observer);
  }

  /**
   * There is something that was accepted before.
   *
   * @param tried what is being shown to proxies already; null if nothing is
   */
  void takeUp(@Nullable Trial tried) {
    everAccepted = true;
    trial = tried;
  }

  /** Objects changed, null for one that is no more; some of that is in force at once. */
  void changed(
      SortedMap<ObjectKey, @Nullable ConfigObject> changes,
      SortedMap<ObjectKey, @Nullable ConfigObject> atOnce) {
    changes.keySet().stream().filter(key -> changes.get(key) == null).forEach(this::removed);
    desired.moved(changes.keySet());
    if (!atOnce.isEmpty()) {
      base.apply(atOnce);
      if (trial != null) {
        trial.translation = trial.translation.with(atOnce);
      }
      first.apply(atOnce);
    }
    if (!sourceSpoke) {
      sourceSpoke = true;
      SortedSet<ObjectKey> inTheWay = ghosts.inTheWayOf(wishes.served(), base.translation());
      convictions.drop(inTheWay);
      desired.moved(inTheWay);
    }
    show();
    check();
  }

  private void removed(ObjectKey key) {
    if (trial != null && Bundle.all(trial.units).containsKey(key)) {
      trial = null;
    }
    attribution.removed(key);
  }

  /** Proxies may have said something. */
  void check() {
    if (closed || !sourceSpoke) {
      return;
    }
    if (!everAccepted && !attribution.isUnderWay()) {
      tryFirst();
    } else if (trial == null) {
      goOn();
    } else {
      judge(trial);
    }
  }

  /** Nothing was ever accepted: everybody is shown everything, and the first answers decide. */
  private void tryFirst() {
    Trial shown = trial;
    if (shown == null || !first.isOf(wishes.edition())) {
      List<Bundle> units = wishes.units();
      convictions.clearSuspects();
      shown = new Trial(units, new TreeMap<>(), base.with(Bundle.all(units)), time.nanoTime());
      trial = shown;
      first.begin(shown, wishes.edition());
      show();
    }
    Trial current = shown;
    boolean accepted = false;
    for (TrialFleet.Candidate candidate : canaries.voters()) {
      Verdict verdict = first.verdict(candidate.node());
      if (verdict instanceof Verdict.Refused refused) {
        current.canaries.put(candidate.proxyClass(), candidate.node());
        canaries.voters().forEach(v -> current.canaries.putIfAbsent(v.proxyClass(), v.node()));
        first.lookInto(refused.resource(), current.canaries.values());
        refused(current, refused);
        return;
      }
      accepted |= verdict instanceof Verdict.Accepted;
    }
    if (accepted && !first.isFrozen() && !mustWait()) {
      accepted(current);
    }
  }

  /** Whether the proxies of some other class have only just come. */
  private boolean mustWait() {
    boolean open = canaries.isSomebodyOpen();
    if (open) {
      alarm.in(CanarySelector.WAIT);
    }
    return open;
  }

  /** Begins the next trial, if there is anything to try and anybody to try it. */
  private void goOn() {
    if (attribution.isUnderWay()) {
      goOnSearching();
      return;
    }
    List<Bundle> units = lanes.next(wishes.units());
    if (units.isEmpty() || first.age(time.nanoTime()) > options.searchTime().toNanos()) {
      leaveFirst();
    }
    if (units.isEmpty()) {
      incidents.end();
      canaries.forgive();
      letGo();
      releaseSlowly();
    } else {
      begin(units);
    }
  }

  /** Everybody is shown what is good. */
  private void leaveFirst() {
    if (first.isGoingOn() && everAccepted) {
      first.end();
      show();
    }
  }

  /** Takes away what others referred to, now that they have had time not to. */
  private void letGo() {
    SortedMap<ObjectKey, @Nullable ConfigObject> gone = intake.letGo();
    if (!gone.isEmpty()) {
      desired.moved(gone.keySet());
      base.apply(gone);
      show();
    }
  }

  private void begin(List<Bundle> units) {
    SortedMap<ObjectKey, ConfigObject> objects = Bundle.all(units);
    if (unwritten.concerns(objects.keySet())) {
      return; // until what is served now can be served again after a crash
    }
    Translation translation = base.with(objects);
    SortedSet<ObjectKey> inTheWay = ghosts.inTheWayOf(objects.values(), translation);
    if (!inTheWay.isEmpty()) {
      convictions.drop(inTheWay);
      desired.moved(inTheWay);
      translation = base.with(objects);
    }
    if (convictions.convictByEvidence(objects.values(), translation)) {
      attribution.end();
      show();
      goOn();
      return;
    }
    if (base.looksLike(translation)) {
      observer.unnoticed(objects.values());
      settled(objects, translation);
      return;
    }
    SortedMap<String, String> chosen = first.choose();
    if (chosen.isEmpty()) {
      if (canaries.isWaiting()) {
        alarm.in(CanarySelector.WAIT);
      }
      if (first.mustNotTakeAway()) {
        freeze();
      } else if (first.areScoutsGone()) {
        leaveFirst();
      }
      return; // until somebody is there to try it
    }
    trial = new Trial(units, chosen, translation, time.nanoTime());
    incidents.push(units, chosen.values());
    show();
    alarm.in(options.patience());
  }

  private void judge(Trial current) {
    boolean open = false;
    boolean late = time.nanoTime() - current.began >= options.patience().toNanos();
    for (String node : List.copyOf(current.canaries.values())) {
      Verdict verdict = stage.verdict(node);
      if (verdict instanceof Verdict.Refused refused) {
        refused(current, refused);
        return;
      }
      if (verdict instanceof Verdict.Gone || (verdict instanceof Verdict.Open && late)) {
        canaries.silent(node);
        letOthersTry(node);
        return;
      }
      open |= verdict instanceof Verdict.Open;
    }
    if (!open) {
      accepted(current);
    }
  }

  /** Silence is no rejection. */
  private void letOthersTry(String node) {
    attribution.without(node);
    trial = null;
    show();
    goOn();
  }

  private void accepted(Trial current) {
    observer.accepting(Bundle.all(current.units).values(), current.canaries.keySet());
    trial = null;
    everAccepted = true;
    canaries.forgive();
    if (current.canaries.isEmpty() || !canaries.areCold(current.canaries.values())) {
      first.end(); // it is what is good, or has all but those that the text points at
    }
    settled(Bundle.all(current.units), current.translation);
  }

  /** Some objects are part of the base from now on. */
  private void settled(SortedMap<ObjectKey, ConfigObject> objects, Translation translation) {
    Set<ObjectKey> referredTo = convictions.targets(objects.keySet());
    base.commit(objects, translation);
    for (ConfigObject object : objects.values()) {
      if (wishes.isNewest(object)) {
        wishes.done(object.key());
        convictions.release(object.key());
      }
      observer.affected(object.key());
    }
    observer.committed(objects.values());
    unwritten.add(objects.keySet(), this::check);
    convictions.reconsider(objects.keySet(), referredTo);
    attribution.accepted();
    show();
    goOn();
  }

  // Attribution.

  private void refused(Trial current, Verdict.Refused refused) {
    trial = null;
    if (attribution.refused(current, refused)) {
      goOnSearching();
      if (trial == null) {
        show(); // who has just refused something is not asked before it is shown something else
      }
    } else {
      String node = current.canaries.getOrDefault(refused.proxyClass(), "");
      canaries.stubborn(node); // refuses what nobody touched: it speaks for itself alone
      letOthersTry(node);
    }
  }

  private void goOnSearching() {
    List<Bundle> next = attribution.next();
    if (first.mustNotTakeAway() && !first.maySearch()) {
      goOnWithoutOrFreeze(attribution.evidence().proxyClass());
      return;
    }
    if (!next.isEmpty()) {
      begin(next);
      return;
    }
    ConfigObject culprit = attribution.culprit();
    if (culprit == null) {
      convictions.suspend(Bundle.all(attribution.giveUp("what is left is tried one by one")));
    } else if (!attribution.startOverIfStale()) {
      Verdict.Refused evidence = attribution.evidence();
      ObjectKey other = ConflictFinder.with(culprit, evidence, base);
      incidents.culprit(culprit, convictions.convict(culprit, evidence, other));
      attribution.end();
    }
    show();
    goOn();
  }

  /** A class refused what cannot be searched without taking away what its proxies run. */
  private void goOnWithoutOrFreeze(String proxyClass) {
    if (first.mayGoOnWithout(proxyClass)) {
      canaries.leaveOut(proxyClass);
      attribution.end();
      trial = null;
      show();
      check();
    } else {
      freeze();
    }
  }

  /** All that is left is to say so, and to try again when somebody has written something else. */
  private void freeze() {
    everAccepted = false;
    convictions.suspect(attribution.suspects(), attribution.evidence());
    attribution.giveUp("to search on would take away what proxies run; waits for an edit");
    incidents.end();
    first.freeze(wishes.edition());
    trial = new Trial(wishes.units(), new TreeMap<>(), desired.get(trial), time.nanoTime());
    Bundle.all(wishes.units()).keySet().forEach(observer::affected);
    show();
  }

  private void releaseSlowly() {
    ConfigObject object = slow.takeIfDue(alarm);
    if (object != null) {
      begin(List.of(Bundle.of(object)));
    }
  }

  private void show() {
    display.show(trial, everAccepted);
  }

  /** What is being shown to canaries; null if nothing is. */
  @Nullable Trial current() {
    return trial;
  }

  boolean hasEverAccepted() {
    return everAccepted;
  }

  /** Whether everybody is shown all there is until somebody writes something else. */
  boolean isFrozen() {
    return !everAccepted && first.isFrozen();
  }

  /** Whether nothing is being tried, or searched. */
  boolean isIdle() {
    return trial == null && !attribution.isUnderWay();
  }

  void close() {
    closed = true;
    alarm.cancel();
  }
}
