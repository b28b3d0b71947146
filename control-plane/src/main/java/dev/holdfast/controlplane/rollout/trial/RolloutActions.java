// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ledger.DecisionProbe.Point;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.search.ConflictFinder;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.ReplacedObjects;
import dev.holdfast.controlplane.rollout.selection.StaleClaims;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.translate.Translation;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the decisions of a rollout: one method per decision, which gives the next state and
 * the decision that follows.
 */
final class RolloutActions {
  private final RolloutOptions options;
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
  private final LostCanaries lost;
  private final CanaryLosses losses;
  private final ReplacedObjects replaced;
  private final TrialPublisher publisher;
  private final PendingWrites writes;
  private final SlowRelease slowRelease;
  private final WakeUpTimer timer;
  private final RolloutDecider decider;
  private final StaleClaims staleClaims;

  RolloutActions(
      RolloutOptions options,
      TimeSource time,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      Baseline baseline,
      DesiredObjects desired,
      DesiredTranslation desiredTranslation,
      HoldManager holds,
      IncidentRecorder incidents,
      ChangeIntake intake,
      CanarySelector canaries,
      FirstContact first,
      LostCanaries lost,
      CanaryLosses losses,
      ReplacedObjects replaced,
      TrialPublisher publisher,
      PendingWrites writes,
      SlowRelease slowRelease,
      WakeUpTimer timer,
      RolloutDecider decider) {
    this.options = options;
    this.time = time;
    this.observer = observer;
    this.sanitise = sanitise;
    this.baseline = baseline;
    this.desired = desired;
    this.desiredTranslation = desiredTranslation;
    this.holds = holds;
    this.incidents = incidents;
    this.intake = intake;
    this.canaries = canaries;
    this.first = first;
    this.lost = lost;
    this.losses = losses;
    this.replaced = replaced;
    this.publisher = publisher;
    this.writes = writes;
    this.slowRelease = slowRelease;
    this.timer = timer;
    this.decider = decider;
    this.staleClaims = new StaleClaims(baseline, desired);
  }

  /** What a decision led to. */
  record Step(RolloutState state, RolloutDecision next) {}

  Step perform(RolloutDecision decision, RolloutState state) {
    return switch (decision.kind()) {
      case WAIT -> new Step(state, decision);
      case SHOW_EVERYTHING -> showEverything();
      case START_TRIAL ->
          startTrial(
              ((RolloutDecision.StartTrial) decision).bundles(),
              state.kind() == RolloutState.Kind.JUDGING ? new RolloutState.Idle() : state);
      case CONFIRM -> confirm((RolloutDecision.Confirm) decision, state);
      case COMMIT -> commit(((RolloutDecision.Commit) decision).trial(), state);
      case ADVANCE_SEARCH ->
          advanceSearch(((RolloutDecision.AdvanceSearch) decision).attribution());
      case ATTRIBUTE -> attribute((RolloutDecision.Attribute) decision, state);
      case REPLACE_CANARY -> goOnWithout(((RolloutDecision.ReplaceCanary) decision).node(), state);
      case LOSE_CANARY -> loseCanary((RolloutDecision.LoseCanary) decision);
      case CONVICT -> convict(((RolloutDecision.Convict) decision).conviction());
      case HOLD_FOUND -> holdFound(((RolloutDecision.HoldFound) decision).found(), state);
      case ACQUIT -> acquit(((RolloutDecision.Acquit) decision).key());
      case MOVE_SEARCH -> moveSearch((RolloutDecision.MoveSearch) decision);
      case START_OVER -> startOver(((RolloutDecision.StartOver) decision).attribution());
      case JUDGE -> judge((RolloutDecision.Judge) decision);
      case OVERRULE -> overrule(((RolloutDecision.Overrule) decision).attribution());
      case HOLD_OFFENDER -> holdOffender((RolloutDecision.HoldOffender) decision);
      case SUSPEND_SUSPECTS ->
          suspendSuspects(((RolloutDecision.SuspendSuspects) decision).attribution());
      case LEAVE_OUT_CLASS -> leaveOut(((RolloutDecision.LeaveOutClass) decision).proxyClass());
      case FREEZE -> freeze(((RolloutDecision.Freeze) decision).attribution());
      case REST -> rest();
    };
  }

  /** Goes to a state, and decides there. */
  private Step decideIn(RolloutState state) {
    return new Step(state, decider.decide(state));
  }

  private Step showEverything() {
    holds.releaseSuspects();
    List<Bundle> valid = desired.bundles();
    Translation translation = baseline.with(Bundle.all(valid));
    while (holds.holdByValidation(Bundle.all(valid), translation)) {
      // Without what is held, others may be good.
      valid = desired.bundles();
      translation = baseline.with(Bundle.all(valid));
    }
    List<Bundle> bundles =
        canaries.anyAdopted() // they would lose what they run
            ? valid
            : lost.withoutDeadly(valid);
    if (bundles.size() < valid.size()) {
      translation = baseline.with(Bundle.all(bundles));
    }
    Trial everything = new Trial(bundles, new TreeMap<>(), translation, time.nanoTime());
    first.begin(everything, desired.edition());
    RolloutState next = new RolloutState.ColdStart(everything);
    publish(next);
    return decideIn(next);
  }

  /**
   * A proxy left. What all proxies are shown at a cold start may have been the cause, also while
   * some of them search for what others refuse.
   */
  void left(String node, String proxyClass, RolloutState state) {
    Trial trial = state.trial();
    boolean isColdStart = state.kind() == RolloutState.Kind.COLD_START;
    Trial everything = isColdStart ? trial : first.shownTo(node, trial);
    if (everything == null || state.kind() == RolloutState.Kind.FROZEN) {
      lost.left(node, trial);
      return;
    }
    lost.addCold(node, proxyClass, everything);
    if (!isColdStart) { // there it is decided anew
      leaveOutDeadly(everything, state);
    }
  }

  /** Proxies that do not search are not shown what one of them may have died of. */
  private void leaveOutDeadly(Trial everything, RolloutState state) {
    List<Bundle> bundles = lost.withoutDeadly(everything.bundles());
    if (bundles.size() < everything.bundles().size() && !canaries.anyAdopted()) {
      first.show(
          new Trial(
              bundles, new TreeMap<>(), baseline.with(Bundle.all(bundles)), everything.began()));
      publish(state);
    }
  }

  private Step startTrial(List<Bundle> bundles, RolloutState state) {
    Attribution attribution = state.attribution();
    if (attribution == null && first.age(time.nanoTime()) > options.searchTime().toNanos()) {
      endFirstContact(state);
    }
    SortedMap<ObjectKey, ConfigObject> objects = Bundle.all(bundles);
    if (writes.concern(objects.keySet())) {
      // Until what is served now can be served again after a crash.
      return new Step(state, RolloutDecision.WAIT);
    }
    options.probe().at(Point.TRANSLATION);
    Translation translation = baseline.with(objects);
    SortedSet<ObjectKey> inTheWay = staleClaims.against(objects.values(), translation);
    if (!inTheWay.isEmpty()) {
      drop(inTheWay);
      translation = baseline.with(objects);
    }
    options.probe().at(Point.TRIAL_CHECK);
    if (holds.holdByValidation(objects, translation)
        || holds.holdByEvidence(objects.values(), translation)) {
      return endSearch();
    }
    if (baseline.looksLike(translation)) {
      observer.unnoticed(objects.values());
      return settle(objects, translation, state);
    }
    SortedMap<String, String> chosen = chooseCanaries(attribution, bundles);
    if (chosen.isEmpty()) {
      return waitForCanary(state, bundles);
    }
    Trial trial = new Trial(bundles, chosen, translation, time.nanoTime());
    RolloutState next =
        attribution == null
            ? new RolloutState.Trying(trial)
            : new RolloutState.Searching(attribution, trial);
    if (attribution == null || !attribution.isPrefixDue()) { // otherwise they run it already
      incidents.push(bundles, chosen.values());
    }
    if (attribution == null) {
      observer.trying(objects.values(), chosen.values());
    }
    publish(next);
    return new Step(next, new RolloutDecision.Wait(options.silence()));
  }

  /** The nodes that try what comes next; none if nobody can, or a class is worth waiting for. */
  private SortedMap<String, String> chooseCanaries(
      @Nullable Attribution attribution, List<Bundle> bundles) {
    if (attribution != null && !attribution.searchers().isEmpty()) {
      return attribution.searchers();
    }
    if (first.mustNotTakeAway()) {
      return canaries.chooseCold(any -> true);
    }
    SortedMap<String, String> chosen = canaries.choose(lost.nodes(bundles));
    return chosen.keySet().containsAll(lost.classes(bundles)) ? chosen : new TreeMap<>();
  }

  private Step waitForCanary(RolloutState state, List<Bundle> bundles) {
    boolean classIsComing = canaries.isWaiting();
    Attribution attribution = state.attribution();
    Attribution last = attribution == null ? first.lastSearch() : attribution;
    if (first.mustNotTakeAway() && last != null) {
      return new Step(state, new RolloutDecision.Freeze(last));
    }
    if (first.areSearchersGone()) {
      endFirstContact(state);
    }
    return new Step(
        state,
        classIsComing
            ? new RolloutDecision.Wait(CanarySelector.WAIT)
            : new RolloutDecision.Wait(lost.wakeUp(bundles)));
  }

  private Step confirm(RolloutDecision.Confirm decision, RolloutState state) {
    Trial trial = decision.trial();
    Attribution attribution = state.attribution();
    if (attribution == null || !attribution.isPrefixDue()) {
      incidents.accepted();
    }
    incidents.push(trial.bundles(), decision.seconds().values());
    RolloutState next = state.with(trial.confirmedBy(decision.seconds(), time.nanoTime()));
    publish(next);
    return new Step(next, new RolloutDecision.Wait(options.silence()));
  }

  private Step advanceSearch(Attribution attribution) {
    incidents.accepted();
    return decideIn(nextStepOf(attribution.accepted()));
  }

  private Step commit(Trial trial, RolloutState state) {
    SortedMap<ObjectKey, ConfigObject> objects = trial.objects();
    if (baseline.isEstablished() && holds.isInvalid(objects, trial.translation())) {
      // Others were deleted during the trial: what is of no effect now was accepted unseen. With
      // what has come meanwhile it may have one, and is tried again.
      return endSearch();
    }
    observer.accepting(objects.values(), trial.canaries().keySet());
    if (baseline.isEstablished()) { // otherwise there is nothing to go back to
      objects.keySet().forEach(key -> observer.replaced(key, baseline.get(key)));
      replaced.add(objects.values(), baseline);
    }
    baseline.establish();
    canaries.forgive();
    if (trial.canaries().isEmpty() || !canaries.areCold(trial.nodes())) {
      first.end(); // the baseline is all there is, or all but what the error text names
    }
    losses.accepted(objects.keySet(), trial.canaries().keySet());
    holds
        .table()
        .refute(objects.keySet(), trial.translation(), trial.canaries().keySet())
        .forEach(observer::evidenceForgotten);
    return settle(objects, trial.translation(), state);
  }

  /** The baseline takes some objects, which every canary accepted or no proxy would notice. */
  private Step settle(
      SortedMap<ObjectKey, ConfigObject> objects, Translation translation, RolloutState state) {
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
    writes.add(objects.keySet());
    holds.reconsider(objects.keySet(), referredTo);
    holds.retryInvalid();
    recordLastGood();
    incidents.accepted();
    Attribution attribution = state.attribution();
    RolloutState next = new RolloutState.Idle();
    if (attribution == null) {
      incidents.end();
    } else {
      next = nextStepOf(attribution.accepted().committed());
    }
    publish(next);
    return decideIn(next);
  }

  private Step attribute(RolloutDecision.Attribute decision, RolloutState state) {
    options.probe().at(Point.ATTRIBUTION);
    Trial trial = decision.trial();
    Verdict.Refused refused = decision.refused();
    if (state.kind() == RolloutState.Kind.COLD_START || state.kind() == RolloutState.Kind.FROZEN) {
      first.refused(refused.resource(), trial.nodes());
    }
    Attribution before = state.attribution();
    boolean isStep =
        state.kind() == RolloutState.Kind.SEARCHING && before != null && !before.isPrefixDue();
    Attribution attribution =
        isStep && before != null
            ? before.refused(refused, decision.refuser())
            : Attribution.begin(trial, refused, decision.refuser(), baseline);
    if (attribution == null) {
      // It refuses what no change touched, and so speaks for itself alone.
      canaries.exclude(decision.refuser());
      return goOnWithout(decision.refuser(), state);
    }
    if (!isStep) {
      incidents.begin(refused, sanitise.apply(refused.message()), trial);
    } else {
      incidents.refused();
    }
    first.searching(attribution);
    return decideIn(nextStepOf(attribution));
  }

  /** A canary does not vote in this trial: others try it. */
  private Step goOnWithout(String node, RolloutState state) {
    Attribution attribution = state.attribution();
    boolean searchesOn =
        state.kind() == RolloutState.Kind.SEARCHING
            && attribution != null
            && !attribution.isAhead(); // of what another one would be asked to go on with
    RolloutState next =
        searchesOn && attribution != null
            ? nextStepOf(attribution.without(node))
            : new RolloutState.Idle();
    publish(next);
    return decideIn(next);
  }

  /**
   * All proxies get the baseline; what the canary was shown waits until it is known why it went.
   */
  private Step loseCanary(RolloutDecision.LoseCanary decision) {
    TrialOutcome.Lost gone = decision.lost();
    canaries.unanswered(gone.node());
    lost.add(gone.node(), gone.isSilent(), decision.trial());
    incidents.step(gone.node() + (gone.isSilent() ? " does not answer" : " went away"));
    return endSearch();
  }

  private Step convict(LostCanaries.Conviction conviction) {
    SortedMap<ObjectKey, ConfigObject> tried = conviction.bundle().objects();
    Translation translation = baseline.with(tried);
    List<ConfigObject> offenders = conviction.offenders(translation);
    if (offenders.isEmpty()) {
      // Proxies get nothing of it any more; that acquits nobody who was convicted before.
      tried.keySet().forEach(decider::notConvicted);
      tried.keySet().forEach(losses::forget);
    }
    for (ConfigObject offender : offenders) {
      Evidence evidence =
          holds.holdLost(
              offender,
              translation,
              conviction.isSilence(),
              conviction.proxyClass(),
              conviction.text(offenders.size()));
      if (evidence != null) {
        incidents.lost(evidence, tried.size());
        incidents.offenderFound(offender, evidence);
      }
      decider.convicted(offender.key());
    }
    if (conviction.isGiven() && !conviction.isProvisional()) {
      losses.explained(conviction.losses(), decider.convicted());
    }
    return decideIn(new RolloutState.Idle());
  }

  private Step holdFound(TrialGate.Found found, RolloutState state) {
    holds.holdFound(found.object(), found.evidence());
    decider.found(found.object().key(), found.evidence());
    return decideIn(state);
  }

  private Step acquit(ObjectKey key) {
    Hold hold = holds.table().get(key);
    boolean isOpen = hold != null && (hold.reason().isLoss() || decider.isFound(hold));
    decider.notConvicted(key);
    if (isOpen) {
      holds.table().forgetEvidence(key).forEach(observer::evidenceForgotten);
      holds.retry(key);
    }
    return decideIn(new RolloutState.Idle());
  }

  private Step moveSearch(RolloutDecision.MoveSearch decision) {
    first.searchWith(decision.searchers().values());
    return decideIn(nextStepOf(decision.attribution().searchedBy(decision.searchers())));
  }

  private Step startOver(Attribution attribution) {
    decider.startedOver(attribution.rejection().resource());
    incidents.step("starting over: an object that contributed to it was deleted");
    return endSearch();
  }

  private Step judge(RolloutDecision.Judge decision) {
    Attribution attribution = decision.attribution();
    String proxyClass = attribution.rejection().proxyClass();
    List<Bundle> bundles = attribution.last();
    SortedMap<String, String> refuser = new TreeMap<>();
    refuser.put(proxyClass, attribution.refuser());
    SortedMap<String, String> judge = new TreeMap<>();
    judge.put(proxyClass, decision.judge());
    Trial trial =
        new Trial(bundles, refuser, judge, baseline.with(Bundle.all(bundles)), time.nanoTime());
    incidents.push(bundles, List.of(decision.judge()));
    RolloutState next =
        new RolloutState.Judging(attribution, trial, decision.judge(), decision.accepted());
    publish(next);
    return new Step(next, new RolloutDecision.Wait(options.silence()));
  }

  private Step overrule(Attribution attribution) {
    incidents.accepted();
    incidents.step(attribution.refuser() + " is the only one that refuses it");
    Verdict.Refused rejection = attribution.rejection();
    canaries.diverged(
        attribution.refuser(), rejection.resource(), /* accepts= */ false, rejection.message());
    return endSearch();
  }

  private Step holdOffender(RolloutDecision.HoldOffender decision) {
    if (decision.attribution().isTriedWithAny(object -> !desired.isNewest(object))) {
      incidents.step("starting over: what was tried together with it has been edited");
      return endSearch();
    }
    Verdict.Refused rejection = decision.attribution().rejection();
    if (decision.judges().isEmpty()) {
      incidents.refused();
    }
    for (String odd : decision.accepted()) {
      canaries.diverged(odd, rejection.resource(), /* accepts= */ true, rejection.message());
    }
    ObjectKey other = ConflictFinder.with(decision.object(), rejection, baseline);
    incidents.offenderFound(
        decision.object(),
        holds.hold(
            decision.object(), rejection, other, decision.judges(), decision.isForOneReason()));
    return endSearch();
  }

  private Step suspendSuspects(Attribution attribution) {
    incidents.step("gave up: what is left is tried one by one");
    holds.suspend(Bundle.all(attribution.search().refused()));
    return endSearch();
  }

  /** The search is over; what is still pending is tried next. */
  private Step endSearch() {
    publish(new RolloutState.Idle());
    if (!baseline.isEstablished() && decider.isNothingPending()) {
      rest(); // what it releases is shown with everything
    }
    return decideIn(new RolloutState.Idle());
  }

  private Step leaveOut(String proxyClass) {
    first.searchWith(List.of());
    canaries.leaveOut(proxyClass);
    publish(new RolloutState.Idle());
    return decideIn(new RolloutState.Idle());
  }

  private Step freeze(Attribution attribution) {
    baseline.abandon();
    holds.holdSuspects(attribution.suspects(), attribution.rejection());
    incidents.step("gave up: to search on would take away what proxies run; waits for an edit");
    incidents.end();
    first.freeze(desired.edition());
    List<Bundle> bundles = desired.bundles();
    RolloutState next =
        new RolloutState.Frozen(
            new Trial(bundles, new TreeMap<>(), desiredTranslation.get(null), time.nanoTime()));
    Bundle.all(bundles).keySet().forEach(observer::affected);
    publish(next);
    return new Step(next, RolloutDecision.WAIT);
  }

  /**
   * What needs no trial is stored when its newest generation is served. If that cannot be read, the
   * last good one has to be there after a restart.
   */
  private void recordLastGood() {
    List<ConfigObject> lastGood =
        baseline.isEstablished() ? holds.takeUnrecordedLastGood() : List.of();
    if (!lastGood.isEmpty()) {
      observer.committed(lastGood);
    }
  }

  private Step rest() {
    recordLastGood();
    endFirstContact(new RolloutState.Idle());
    incidents.end();
    canaries.forgive();
    SortedMap<ObjectKey, @Nullable ConfigObject> deleted = intake.takeDeferredDeletions();
    if (!deleted.isEmpty()) {
      desiredTranslation.moved(deleted.keySet());
      baseline.apply(deleted);
      publish(new RolloutState.Idle());
    }
    ConfigObject released = slowRelease.takeIfDue(timer);
    if (released != null) {
      holds.retry(released.key()); // with the policies that it must not be served without
    }
    List<Bundle> due = released == null ? List.of() : decider.letThrough();
    return new Step(
        new RolloutState.Idle(),
        due.isEmpty()
            ? new RolloutDecision.Wait(lost.wakeUp(desired.bundles()))
            : new RolloutDecision.StartTrial(due));
  }

  private RolloutState nextStepOf(Attribution attribution) {
    return new RolloutState.SearchWaiting(attribution.narrowed(baseline));
  }

  /** All proxies are shown the baseline from now on. */
  private void endFirstContact(RolloutState state) {
    if (first.isGoingOn() && baseline.isEstablished()) {
      first.end();
      publish(state);
    }
  }

  /** Stops serving old generations that are in the way of objects which are served as desired. */
  void dropStaleClaims() {
    drop(staleClaims.against(desired.served(), baseline.translation()));
  }

  private void drop(SortedSet<ObjectKey> inTheWay) {
    holds.drop(inTheWay);
    desiredTranslation.moved(inTheWay);
  }

  /** Shows proxies what a state wants them to see. */
  void publish(RolloutState state) {
    publisher.publish(state.trial());
  }
}
