// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.ledger.DecisionProbe.Point;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.hold.Probation;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.ReplacedObjects;
import dev.holdfast.controlplane.rollout.selection.Trial;
import java.time.Duration;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a rollout. Loop only.
 *
 * <p>Idle, it tries all pending changes at once. If a canary refuses them, it searches for the
 * object that caused it: what is accepted becomes part of the baseline, and the object that is left
 * is held. Then it tries what remains.
 *
 * <p>No proxy decides for others alone. A second one of the class, if there is one, has to accept a
 * trial, too, and to refuse what a search has found. If they disagree, a third one decides, and the
 * odd one has diverged; if there is no third one, the change is held.
 *
 * <p>After each event the machine decides until nothing is left to do. {@link RolloutDecider} looks
 * at the state and at the verdicts and gives a {@link RolloutDecision}; {@link RolloutActions}
 * carries it out and gives the next state. {@link RolloutTransitions} lists all transitions.
 *
 * <p>After an error of our own, a rollout with a baseline is IDLE; see {@link ErrorGuard}.
 * Decisions without an end are such an error; see {@link DecisionLimit}.
 */
final class RolloutMachine {
  private final Baseline baseline;
  private final DesiredTranslation desiredTranslation;
  private final FirstContact first;
  private final RolloutDecider decider;
  private final RolloutActions actions;
  private final WakeUpTimer timer;
  private final LostCanaries lost;
  private final DecisionProbe probe;
  private final ErrorGuard guard;
  private final DecisionLimit limit;

  private RolloutState state = new RolloutState.AwaitingObjects(null);

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
      ChangeIntake intake,
      CanaryLosses losses,
      ReplacedObjects replaced,
      TrialGate gate) {
    this.baseline = baseline;
    this.desiredTranslation = desiredTranslation;
    this.probe = options.probe();
    this.guard = new ErrorGuard(desired, holds, observer);
    this.limit = new DecisionLimit(desired::size);
    this.timer = new WakeUpTimer(time, loop, () -> handle(RolloutEvent.TIMER_FIRED));
    CanarySelector canaries = new CanarySelector(fleet, time, options);
    this.first = new FirstContact(fleet, canaries);
    this.lost =
        new LostCanaries(
            fleet, time, losses, baseline::contains, desired::get, options.isForScouts());
    this.decider =
        new RolloutDecider(
            options,
            fleet,
            time,
            baseline,
            desired,
            new Probation(holds.table(), time, options.probation()),
            incidents,
            canaries,
            first,
            lost,
            gate);
    this.actions =
        new RolloutActions(
            options,
            time,
            observer,
            sanitise,
            baseline,
            desired,
            desiredTranslation,
            holds,
            incidents,
            intake,
            canaries,
            first,
            lost,
            losses,
            replaced,
            new TrialPublisher(
                fleet, options.canaries(), baseline, holds.table(), desiredTranslation, first),
            new PendingWrites(observer, () -> handle(RolloutEvent.STATE_WRITTEN)),
            new SlowRelease(desired, time, options.release()),
            timer,
            decider);
  }

  RolloutState state() {
    return state;
  }

  DecisionLimit limit() {
    return limit;
  }

  /** Whether there is another proxy to ask about a verdict, or the one that disagreed is gone. */
  boolean canBeJudgedAnew(Evidence evidence) {
    return decider.canBeJudgedAnew(evidence);
  }

  /** Whether a hold is because of the gate alone. */
  boolean isFound(Hold hold) {
    return decider.isFound(hold);
  }

  /** When a proxy was last lost under an object, on the clock of nanoTime; null if none was. */
  @Nullable Long lastLoss(ConfigObject object) {
    return lost.lastLoss(object);
  }

  /** The baseline was restored or taken over, with the trial that proxies are shown already. */
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
    guard.changed(changes.keySet());
    try {
      change(changes, immediate, before);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      recover(e);
    }
    run();
  }

  private void change(
      SortedMap<ObjectKey, @Nullable ConfigObject> changes,
      SortedMap<ObjectKey, @Nullable ConfigObject> immediate,
      RolloutState.Kind before) {
    for (ObjectKey key : changes.keySet()) {
      state = changes.get(key) == null ? state.without(key, baseline.isEstablished()) : state;
    }
    desiredTranslation.moved(changes.keySet());
    apply(immediate);
    if (before == RolloutState.Kind.AWAITING_OBJECTS) {
      actions.dropStaleClaims();
      Trial trial = state.trial();
      state = trial == null ? new RolloutState.Idle() : new RolloutState.Trying(trial);
    }
    RolloutTransitions.check(before, RolloutEvent.OBJECTS_CHANGED, state.kind());
    actions.publish(state);
  }

  /** Changes the baseline, and what is tried on top of it, without a trial. */
  private void apply(SortedMap<ObjectKey, @Nullable ConfigObject> immediate) {
    if (!immediate.isEmpty()) {
      baseline.apply(immediate);
      first.apply(immediate);
      Trial trial = state.trial();
      if (trial != null) {
        state = state.with(trial.with(immediate));
      }
    }
  }

  /**
   * Proxies get back what a commit replaced; null for what it added. A trial that is under way is
   * about another baseline, and ends.
   */
  void undo(SortedMap<ObjectKey, @Nullable ConfigObject> before) {
    RolloutState.Kind was = state.kind();
    if (!baseline.isEstablished() || was == RolloutState.Kind.CLOSED) {
      return;
    }
    try {
      takeBack(before, was);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      recover(e);
    }
    run();
  }

  private void takeBack(
      SortedMap<ObjectKey, @Nullable ConfigObject> before, RolloutState.Kind was) {
    if (was != RolloutState.Kind.AWAITING_OBJECTS) {
      state = new RolloutState.Idle();
    }
    RolloutTransitions.check(was, RolloutEvent.COMMIT_UNDONE, state.kind());
    desiredTranslation.moved(before.keySet());
    apply(before);
    actions.publish(state);
  }

  /** A proxy left. */
  void left(String node, String proxyClass) {
    actions.left(node, proxyClass, state);
  }

  /** Something happened that may allow the rollout to go on. */
  void handle(RolloutEvent event) {
    if (event == RolloutEvent.CLOSED) {
      state = new RolloutState.Closed();
      timer.cancel();
    } else {
      run();
    }
  }

  private void run() {
    try {
      decide();
      guard.succeeded();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      recover(e);
    }
  }

  private void decide() {
    boolean refused = false;
    limit.begin();
    probe.at(Point.DECISION);
    RolloutDecision next = decider.decide(state);
    while (!(next instanceof RolloutDecision.Wait)) {
      refused |= next.kind() == RolloutDecision.Kind.ATTRIBUTE;
      guard.inHand(next);
      limit.count(next);
      probe.at(Point.ACTION);
      RolloutActions.Step step = actions.perform(next, state);
      RolloutTransitions.check(state.kind(), next.kind(), step.state().kind());
      state = step.state();
      next = step.next();
    }
    guard.inHand(next);
    Duration wakeUp = ((RolloutDecision.Wait) next).wakeUp();
    if (!wakeUp.isZero()) {
      timer.in(wakeUp);
    }
    if (refused && state.trial() == null) {
      // A proxy that refused is asked again only after it was shown something else.
      actions.publish(state);
    }
  }

  /** An error of our own. What was in hand is held, and all else goes on from the baseline. */
  private void recover(Throwable error) {
    if (state.kind() == RolloutState.Kind.CLOSED) {
      return;
    }
    Duration pause = guard.failed(error, state);
    if (baseline.isEstablished()) {
      state = new RolloutState.Idle();
      try {
        actions.publish(state);
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        guard.failedAgain(e);
      }
    }
    timer.in(pause);
  }
}
