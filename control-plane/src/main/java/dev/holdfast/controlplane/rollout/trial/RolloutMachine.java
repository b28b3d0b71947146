// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Objects.requireNonNull;

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
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.StaleClaims;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.Translation;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a rollout. Loop only.
 *
 * <p>Idle, it tries all pending changes at once. If a canary refuses them, it searches for the
 * object that caused it: each accepted step becomes part of the baseline, and the object that is
 * left is held. Then it tries what remains.
 *
 * <p>An event makes the machine decide until nothing is left to do: {@code decide} looks at the
 * state and at the verdicts and gives a {@link RolloutDecision}; {@code perform} carries it out and
 * gives the one that follows. These are all transitions; what is not listed cannot happen:
 *
 * <pre>
 * state            | event or decision | next state
 * -----------------|-------------------|-----------------------------
 * AWAITING_OBJECTS | OBJECTS_CHANGED   | IDLE TRYING
 * COLD_START       | OBJECTS_CHANGED   | COLD_START
 * COLD_START       | SHOW_EVERYTHING   | COLD_START
 * COLD_START       | COMMIT            | IDLE
 * COLD_START       | ATTRIBUTE         | IDLE SEARCH_WAITING
 * FROZEN           | OBJECTS_CHANGED   | FROZEN
 * FROZEN           | SHOW_EVERYTHING   | COLD_START
 * FROZEN           | ATTRIBUTE         | IDLE SEARCH_WAITING
 * IDLE             | OBJECTS_CHANGED   | IDLE
 * IDLE             | SHOW_EVERYTHING   | COLD_START
 * IDLE             | START_TRIAL       | IDLE TRYING
 * IDLE             | FREEZE            | FROZEN
 * IDLE             | REST              | IDLE
 * TRYING           | OBJECTS_CHANGED   | IDLE TRYING
 * TRYING           | COMMIT            | IDLE
 * TRYING           | ATTRIBUTE         | IDLE SEARCH_WAITING
 * TRYING           | REPLACE_CANARY    | IDLE
 * SEARCHING        | OBJECTS_CHANGED   | IDLE TRYING SEARCHING SEARCH_WAITING
 * SEARCHING        | COMMIT            | SEARCH_WAITING
 * SEARCHING        | ATTRIBUTE         | SEARCH_WAITING
 * SEARCHING        | REPLACE_CANARY    | SEARCH_WAITING
 * SEARCH_WAITING   | OBJECTS_CHANGED   | IDLE SEARCH_WAITING
 * SEARCH_WAITING   | START_TRIAL       | IDLE SEARCHING SEARCH_WAITING
 * SEARCH_WAITING   | MOVE_SEARCH       | SEARCH_WAITING
 * SEARCH_WAITING   | START_OVER        | IDLE
 * SEARCH_WAITING   | HOLD_OFFENDER     | IDLE
 * SEARCH_WAITING   | SUSPEND_SUSPECTS  | IDLE
 * SEARCH_WAITING   | LEAVE_OUT_CLASS   | IDLE
 * SEARCH_WAITING   | FREEZE            | FROZEN
 * CLOSED           | OBJECTS_CHANGED   | CLOSED
 * (every state)    | CLOSED            | CLOSED
 * </pre>
 */
final class RolloutMachine {
  private final RolloutOptions options;
  private final TrialFleet fleet;
  private final TimeSource time;
  private final RolloutObserver observer;
  private final UnaryOperator<String> sanitise;
  private final Baseline baseline;
  private final DesiredObjects desired;
  private final DesiredTranslation desiredTranslation;
  private final HoldManager holds;
  private final IncidentRecorder incidents;
  private final ChangeIntake intake;

  private final CanarySelector canaries;
  private final FirstContact first;
  private final TrialPublisher publisher;
  private final StaleClaims staleClaims;
  private final Probation probation;
  private final SlowRelease slowRelease;
  private final PendingWrites writes;
  private final WakeUpTimer timer;

  private RolloutState state = new RolloutState.AwaitingObjects(null);

  /** The resource whose search was started over, which is done only once; null if none was. */
  private @Nullable Resource startedOver;

  RolloutMachine(
      RolloutOptions options,
      TrialFleet fleet,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      Baseline baseline,
      DesiredObjects desired,
      DesiredTranslation desiredTranslation,
      HoldManager holds,
      IncidentRecorder incidents,
      ChangeIntake intake) {
    this.options = options;
    this.fleet = fleet;
    this.time = time;
    this.observer = observer;
    this.sanitise = sanitise;
    this.baseline = baseline;
    this.desired = desired;
    this.desiredTranslation = desiredTranslation;
    this.holds = holds;
    this.incidents = incidents;
    this.intake = intake;
    this.canaries = new CanarySelector(fleet, time, options);
    this.first = new FirstContact(fleet, canaries);
    this.publisher =
        new TrialPublisher(
            fleet, options.canaries(), baseline, holds.table(), desiredTranslation, first);
    this.staleClaims = new StaleClaims(baseline, desired);
    this.probation = new Probation(holds.table(), time, options.probation());
    this.slowRelease = new SlowRelease(desired, time, options.release());
    this.writes = new PendingWrites(observer);
    this.timer = new WakeUpTimer(time, loop, () -> handle(RolloutEvent.TIMER_FIRED));
  }

  RolloutState state() {
    return state;
  }

  // Events.

  /**
   * The baseline was restored, or taken over from another rollout.
   *
   * @param trial a trial that the proxies are shown already; null if they are shown none
   */
  void resume(@Nullable Trial trial) {
    baseline.establish();
    state = new RolloutState.AwaitingObjects(trial);
  }

  /**
   * Objects changed.
   *
   * @param changes null for an object that was deleted
   * @param immediate those of the changes that need no trial
   */
  void objectsChanged(
      SortedMap<ObjectKey, @Nullable ConfigObject> changes,
      SortedMap<ObjectKey, @Nullable ConfigObject> immediate) {
    RolloutState.Kind before = state.kind();
    if (before == RolloutState.Kind.CLOSED) {
      return;
    }
    changes.keySet().stream().filter(key -> changes.get(key) == null).forEach(this::deleted);
    desiredTranslation.moved(changes.keySet());
    if (!immediate.isEmpty()) {
      baseline.apply(immediate);
      first.apply(immediate);
      Trial trial = state.trial();
      if (trial != null) {
        state = state.with(trial.with(immediate));
      }
    }
    if (before == RolloutState.Kind.AWAITING_OBJECTS) {
      drop(staleClaims.against(desired.served(), baseline.translation()));
      Trial trial = state.trial();
      state = trial == null ? RolloutState.IDLE : new RolloutState.Trying(trial);
    }
    RolloutTransitions.check(before, RolloutEvent.OBJECTS_CHANGED, state.kind());
    publish();
    run();
  }

  /** A trial or a search that is about a deleted object has lost its meaning. */
  private void deleted(ObjectKey key) {
    Trial trial = state.trial();
    boolean tried = trial != null && trial.contains(key);
    Attribution attribution = state.attribution();
    boolean searched = attribution != null && attribution.concerns(key);
    switch (state.kind()) {
      case AWAITING_OBJECTS -> {
        if (tried) {
          state = new RolloutState.AwaitingObjects(null);
        }
      }
      case TRYING -> {
        if (tried) {
          state = RolloutState.IDLE;
        }
      }
      case SEARCHING -> {
        if (searched && trial != null && !tried && baseline.isEstablished()) {
          state = new RolloutState.Trying(trial);
        } else if (searched) {
          state = RolloutState.IDLE;
        } else if (tried && attribution != null) {
          state = new RolloutState.SearchWaiting(attribution);
        }
      }
      case SEARCH_WAITING -> {
        if (searched) {
          state = RolloutState.IDLE;
        }
      }
      // At a cold start everything is shown anew after each change.
      case COLD_START, FROZEN, IDLE, CLOSED -> {}
    }
  }

  /** Something happened that may allow the rollout to go on. */
  void handle(RolloutEvent event) {
    if (event == RolloutEvent.CLOSED) {
      state = RolloutState.CLOSED;
      timer.cancel();
    } else {
      run();
    }
  }

  private void run() {
    boolean refused = false;
    RolloutDecision next = decide();
    while (!(next instanceof RolloutDecision.Wait)) {
      refused |= next.kind() == RolloutDecision.Kind.ATTRIBUTE;
      RolloutState.Kind before = state.kind();
      RolloutDecision follows = perform(next);
      RolloutTransitions.check(before, next.kind(), state.kind());
      next = follows;
    }
    Duration wakeUp = ((RolloutDecision.Wait) next).wakeUp();
    if (!wakeUp.isZero()) {
      timer.in(wakeUp);
    }
    if (refused && state.trial() == null) {
      publish(); // a proxy that refused is asked again only after it was shown something else
    }
  }

  // Decisions.

  private RolloutDecision decide() {
    return switch (state.kind()) {
      case AWAITING_OBJECTS, CLOSED -> RolloutDecision.WAIT;
      case COLD_START, FROZEN -> decideWithoutBaseline();
      case IDLE -> decideIdle();
      case TRYING, SEARCHING -> decideTrial();
      case SEARCH_WAITING -> decideSearch();
    };
  }

  /** The first proxies that answer on everything decide what the baseline is. */
  private RolloutDecision decideWithoutBaseline() {
    Trial everything = requireNonNull(state.trial());
    if (!first.isOf(desired.edition())) {
      return RolloutDecision.SHOW_EVERYTHING;
    }
    boolean accepted = false;
    for (TrialFleet.Candidate candidate : canaries.voters()) {
      Verdict verdict = first.verdict(candidate.node());
      switch (verdict.kind()) {
        case REFUSED -> {
          SortedMap<String, String> nodes = new TreeMap<>();
          nodes.put(candidate.proxyClass(), candidate.node());
          canaries.voters().forEach(v -> nodes.putIfAbsent(v.proxyClass(), v.node()));
          return new RolloutDecision.Attribute(
              everything.triedBy(nodes), (Verdict.Refused) verdict);
        }
        case ACCEPTED -> accepted = true;
        case OPEN, GONE -> {}
      }
    }
    if (!accepted || state.kind() == RolloutState.Kind.FROZEN) {
      return RolloutDecision.WAIT;
    }
    return canaries.isAnyClassOpen() // a class has only just come, and has not answered yet
        ? new RolloutDecision.Wait(CanarySelector.WAIT)
        : new RolloutDecision.Commit(everything);
  }

  private RolloutDecision decideIdle() {
    if (!baseline.isEstablished()) {
      return RolloutDecision.SHOW_EVERYTHING;
    }
    List<Bundle> bundles = probation.next(desired.bundles());
    return bundles.isEmpty() ? RolloutDecision.REST : new RolloutDecision.StartTrial(bundles);
  }

  /** Is this ACK enough to commit? It is if every canary of the trial has accepted all of it. */
  private RolloutDecision decideTrial() {
    Trial trial = requireNonNull(state.trial());
    boolean overdue = time.nanoTime() - trial.began() >= options.patience().toNanos();
    TrialOutcome outcome = TrialOutcome.of(trial.nodes(), fleet::verdict, overdue);
    return switch (outcome.kind()) {
      case UNDECIDED -> RolloutDecision.WAIT;
      case ACCEPTED -> new RolloutDecision.Commit(trial);
      case REFUSED ->
          new RolloutDecision.Attribute(trial, ((TrialOutcome.Refused) outcome).verdict());
      case UNANSWERED ->
          new RolloutDecision.ReplaceCanary(((TrialOutcome.Unanswered) outcome).node());
    };
  }

  private RolloutDecision decideSearch() {
    Attribution attribution = requireNonNull(state.attribution());
    if (first.mustNotTakeAway() && !mayTakeAway(attribution)) {
      return searchElsewhere(attribution);
    }
    ConfigObject offender = attribution.offender();
    if (offender != null) {
      return isStale(attribution)
          ? new RolloutDecision.StartOver(attribution)
          : new RolloutDecision.HoldOffender(offender, attribution);
    }
    return incidents.isOverBudget(options.searchTime())
        ? new RolloutDecision.SuspendSuspects(attribution)
        : new RolloutDecision.StartTrial(attribution.search().next());
  }

  /**
   * Whether a search is worth what it takes away. A resource that one object alone contributes to
   * stays as proxies have it: there is nothing to find out, and no other object to set free.
   */
  private boolean mayTakeAway(Attribution attribution) {
    return attribution.suspects().size() > 1
        && (attribution.isHinted() || canaries.areCold(attribution.searchers().values()));
  }

  /**
   * The searchers run content that this server does not know. A proxy of the same class that runs
   * nothing yet may search instead; one of another class may well accept what this one refused.
   */
  private RolloutDecision searchElsewhere(Attribution attribution) {
    String refusing = attribution.rejection().proxyClass();
    if (attribution.suspects().size() > 1) {
      SortedMap<String, String> cold = canaries.chooseCold(refusing::equals);
      if (!cold.isEmpty()) {
        return new RolloutDecision.MoveSearch(attribution, cold);
      }
      if (!canaries.chooseCold(other -> !other.equals(refusing)).isEmpty()) {
        return new RolloutDecision.LeaveOutClass(refusing);
      }
    }
    return new RolloutDecision.Freeze(attribution);
  }

  private boolean isStale(Attribution attribution) {
    return !attribution.rejection().resource().equals(startedOver) && attribution.isStale(baseline);
  }

  // Effects: each gives the decision that follows.

  private RolloutDecision perform(RolloutDecision decision) {
    return switch (decision.kind()) {
      case WAIT -> decision;
      case SHOW_EVERYTHING -> showEverything();
      case START_TRIAL -> startTrial(((RolloutDecision.StartTrial) decision).bundles());
      case COMMIT -> commit(((RolloutDecision.Commit) decision).trial());
      case ATTRIBUTE -> attribute((RolloutDecision.Attribute) decision);
      case REPLACE_CANARY -> {
        String node = ((RolloutDecision.ReplaceCanary) decision).node();
        canaries.unanswered(node);
        yield goOnWithout(node);
      }
      case MOVE_SEARCH -> moveSearch((RolloutDecision.MoveSearch) decision);
      case START_OVER -> startOver(((RolloutDecision.StartOver) decision).attribution());
      case HOLD_OFFENDER -> holdOffender((RolloutDecision.HoldOffender) decision);
      case SUSPEND_SUSPECTS ->
          suspendSuspects(((RolloutDecision.SuspendSuspects) decision).attribution());
      case LEAVE_OUT_CLASS -> leaveOut(((RolloutDecision.LeaveOutClass) decision).proxyClass());
      case FREEZE -> freeze(((RolloutDecision.Freeze) decision).attribution());
      case REST -> rest();
    };
  }

  private RolloutDecision showEverything() {
    List<Bundle> bundles = desired.bundles();
    holds.releaseSuspects();
    Trial everything =
        new Trial(bundles, new TreeMap<>(), baseline.with(Bundle.all(bundles)), time.nanoTime());
    state = new RolloutState.ColdStart(everything);
    first.begin(everything, desired.edition());
    publish();
    return decide();
  }

  private RolloutDecision startTrial(List<Bundle> bundles) {
    Attribution attribution = state.attribution();
    if (attribution == null && first.age(time.nanoTime()) > options.searchTime().toNanos()) {
      endFirstContact();
    }
    SortedMap<ObjectKey, ConfigObject> objects = Bundle.all(bundles);
    if (writes.concern(objects.keySet())) {
      return RolloutDecision.WAIT; // until what is served now can be served again after a crash
    }
    Translation translation = baseline.with(objects);
    SortedSet<ObjectKey> inTheWay = staleClaims.against(objects.values(), translation);
    if (!inTheWay.isEmpty()) {
      drop(inTheWay);
      translation = baseline.with(objects);
    }
    if (holds.holdByEvidence(objects.values(), translation)) {
      return endSearch();
    }
    if (baseline.looksLike(translation)) {
      observer.unnoticed(objects.values());
      return settle(objects, translation);
    }
    SortedMap<String, String> chosen = chooseCanaries(attribution);
    if (chosen.isEmpty()) {
      return waitForCanary(attribution);
    }
    Trial trial = new Trial(bundles, chosen, translation, time.nanoTime());
    state =
        attribution == null
            ? new RolloutState.Trying(trial)
            : new RolloutState.Searching(attribution, trial);
    incidents.push(bundles, chosen.values());
    publish();
    return new RolloutDecision.Wait(options.patience());
  }

  /** Who tries what comes next; empty if nobody can, or a class is worth waiting for. */
  private SortedMap<String, String> chooseCanaries(@Nullable Attribution attribution) {
    if (attribution != null && !attribution.searchers().isEmpty()) {
      return attribution.searchers();
    }
    return first.mustNotTakeAway() ? canaries.chooseCold(any -> true) : canaries.choose();
  }

  private RolloutDecision waitForCanary(@Nullable Attribution attribution) {
    boolean classIsComing = canaries.isWaiting();
    Attribution last = attribution == null ? first.lastSearch() : attribution;
    if (first.mustNotTakeAway() && last != null) {
      return new RolloutDecision.Freeze(last);
    }
    if (first.areSearchersGone()) {
      endFirstContact();
    }
    return classIsComing ? new RolloutDecision.Wait(CanarySelector.WAIT) : RolloutDecision.WAIT;
  }

  private RolloutDecision commit(Trial trial) {
    SortedMap<ObjectKey, ConfigObject> objects = trial.objects();
    observer.accepting(objects.values(), trial.canaries().keySet());
    endTrial();
    baseline.establish();
    canaries.forgive();
    if (trial.canaries().isEmpty() || !canaries.areCold(trial.nodes())) {
      first.end(); // the baseline is all there is, or all but what the error text names
    }
    return settle(objects, trial.translation());
  }

  /** The baseline takes some objects, which every canary accepted or no proxy would notice. */
  private RolloutDecision settle(
      SortedMap<ObjectKey, ConfigObject> objects, Translation translation) {
    Set<ObjectKey> referredTo = holds.targets(objects.keySet());
    baseline.commit(objects, translation);
    for (ConfigObject object : objects.values()) {
      if (desired.isNewest(object)) {
        desired.done(object.key());
        holds.release(object.key());
      }
      observer.affected(object.key());
    }
    observer.committed(objects.values());
    writes.add(objects.keySet(), () -> handle(RolloutEvent.STATE_WRITTEN));
    holds.reconsider(objects.keySet(), referredTo);
    incidents.accepted();
    Attribution attribution = state.attribution();
    if (attribution == null) {
      incidents.end();
    } else {
      nextStepOf(attribution.accepted());
    }
    publish();
    return decide();
  }

  private RolloutDecision attribute(RolloutDecision.Attribute decision) {
    Trial trial = decision.trial();
    Verdict.Refused refused = decision.refused();
    if (state.kind() == RolloutState.Kind.COLD_START || state.kind() == RolloutState.Kind.FROZEN) {
      first.refused(refused.resource(), trial.nodes());
    }
    Attribution before = state.attribution();
    Attribution attribution =
        before == null ? Attribution.begin(trial, refused, baseline) : before.refused(refused);
    if (attribution == null) {
      // It refuses what no change touched, and so speaks for itself alone.
      String node = trial.canaries().getOrDefault(refused.proxyClass(), "");
      canaries.exclude(node);
      return goOnWithout(node);
    }
    if (before == null) {
      incidents.begin(refused, sanitise.apply(refused.message()), trial);
    } else {
      incidents.refused();
    }
    nextStepOf(attribution);
    first.searching(attribution);
    return decide();
  }

  /** A canary has no say in this trial: others try it. */
  private RolloutDecision goOnWithout(String node) {
    endTrial();
    Attribution attribution = state.attribution();
    if (attribution != null) {
      nextStepOf(attribution.without(node));
    }
    publish();
    return decide();
  }

  private RolloutDecision moveSearch(RolloutDecision.MoveSearch decision) {
    first.searchWith(decision.searchers().values());
    nextStepOf(decision.attribution().searchedBy(decision.searchers()));
    return decide();
  }

  private RolloutDecision startOver(Attribution attribution) {
    startedOver = attribution.rejection().resource();
    incidents.step("starting over: an object that contributed to it was deleted");
    return endSearch();
  }

  private RolloutDecision holdOffender(RolloutDecision.HoldOffender decision) {
    Verdict.Refused rejection = decision.attribution().rejection();
    ObjectKey other = ConflictFinder.with(decision.object(), rejection, baseline);
    incidents.offender(decision.object(), holds.hold(decision.object(), rejection, other));
    return endSearch();
  }

  private RolloutDecision suspendSuspects(Attribution attribution) {
    incidents.step("gave up: what is left is tried one by one");
    holds.suspend(Bundle.all(attribution.search().refused()));
    return endSearch();
  }

  /** The search is over; what is still pending is tried next. */
  private RolloutDecision endSearch() {
    state = RolloutState.IDLE;
    publish();
    if (!baseline.isEstablished() && probation.next(desired.bundles()).isEmpty()) {
      rest(); // what it releases is shown with everything
    }
    return decide();
  }

  private RolloutDecision leaveOut(String proxyClass) {
    first.searchWith(List.of());
    canaries.leaveOut(proxyClass);
    state = RolloutState.IDLE;
    publish();
    return decide();
  }

  private RolloutDecision freeze(Attribution attribution) {
    baseline.abandon();
    holds.holdSuspects(attribution.suspects(), attribution.rejection());
    incidents.step("gave up: to search on would take away what proxies run; waits for an edit");
    incidents.end();
    first.freeze(desired.edition());
    List<Bundle> bundles = desired.bundles();
    state =
        new RolloutState.Frozen(
            new Trial(bundles, new TreeMap<>(), desiredTranslation.get(null), time.nanoTime()));
    Bundle.all(bundles).keySet().forEach(observer::affected);
    publish();
    return RolloutDecision.WAIT;
  }

  private RolloutDecision rest() {
    endFirstContact();
    incidents.end();
    canaries.forgive();
    SortedMap<ObjectKey, @Nullable ConfigObject> deleted = intake.takeDeferredDeletions();
    if (!deleted.isEmpty()) {
      desiredTranslation.moved(deleted.keySet());
      baseline.apply(deleted);
      publish();
    }
    ConfigObject released = slowRelease.takeIfDue(timer);
    return released == null
        ? RolloutDecision.WAIT
        : new RolloutDecision.StartTrial(List.of(Bundle.of(released)));
  }

  private void endTrial() {
    Attribution attribution = state.attribution();
    if (attribution == null) {
      state = RolloutState.IDLE;
    } else {
      nextStepOf(attribution);
    }
  }

  private void nextStepOf(Attribution attribution) {
    state = new RolloutState.SearchWaiting(attribution.narrowed(baseline));
  }

  /** All proxies are shown the baseline from now on. */
  private void endFirstContact() {
    if (first.isGoingOn() && baseline.isEstablished()) {
      first.end();
      publish();
    }
  }

  private void drop(SortedSet<ObjectKey> inTheWay) {
    holds.drop(inTheWay);
    desiredTranslation.moved(inTheWay);
  }

  private void publish() {
    publisher.publish(state.trial());
  }
}
