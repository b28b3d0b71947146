// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.hold.Probation;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.Trial;
import java.time.Duration;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a rollout. Loop only.
 *
 * <p>Idle, it tries all pending changes at once. If a canary refuses them, it searches for the
 * object that caused it: each accepted step becomes part of the baseline, and the object that is
 * left is held. Then it tries what remains.
 *
 * <p>After each event the machine decides until nothing is left to do. {@link RolloutDecider} looks
 * at the state and at the verdicts and gives a {@link RolloutDecision}; {@link RolloutActions}
 * carries it out and gives the next state. These are all transitions; what is not listed cannot
 * happen:
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
 * IDLE             | CONVICT           | IDLE
 * IDLE             | ACQUIT            | IDLE
 * IDLE             | REST              | IDLE
 * TRYING           | OBJECTS_CHANGED   | IDLE TRYING
 * TRYING           | COMMIT            | IDLE
 * TRYING           | ATTRIBUTE         | IDLE SEARCH_WAITING
 * TRYING           | REPLACE_CANARY    | IDLE
 * TRYING           | LOSE_CANARY       | IDLE
 * SEARCHING        | OBJECTS_CHANGED   | IDLE TRYING SEARCHING SEARCH_WAITING
 * SEARCHING        | COMMIT            | SEARCH_WAITING
 * SEARCHING        | ATTRIBUTE         | SEARCH_WAITING
 * SEARCHING        | REPLACE_CANARY    | SEARCH_WAITING
 * SEARCHING        | LOSE_CANARY       | IDLE
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
  private final Baseline baseline;
  private final DesiredTranslation desiredTranslation;
  private final FirstContact first;
  private final RolloutDecider decider;
  private final RolloutActions actions;
  private final WakeUpTimer timer;
  private final LostCanaries lost;

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
      CanaryLosses losses) {
    this.baseline = baseline;
    this.desiredTranslation = desiredTranslation;
    this.timer = new WakeUpTimer(time, loop, () -> handle(RolloutEvent.TIMER_FIRED));
    CanarySelector canaries = new CanarySelector(fleet, time, options);
    this.first = new FirstContact(fleet, canaries);
    this.lost = new LostCanaries(fleet, time, losses);
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
            lost);
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
      actions.dropStaleClaims();
      Trial trial = state.trial();
      state = trial == null ? new RolloutState.Idle() : new RolloutState.Trying(trial);
    }
    RolloutTransitions.check(before, RolloutEvent.OBJECTS_CHANGED, state.kind());
    actions.publish(state);
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
          state = new RolloutState.Idle();
        }
      }
      case SEARCHING -> {
        if (searched && trial != null && !tried && baseline.isEstablished()) {
          state = new RolloutState.Trying(trial);
        } else if (searched) {
          state = new RolloutState.Idle();
        } else if (tried && attribution != null) {
          state = new RolloutState.SearchWaiting(attribution);
        }
      }
      case SEARCH_WAITING -> {
        if (searched) {
          state = new RolloutState.Idle();
        }
      }
      // At a cold start everything is shown anew after each change.
      case COLD_START, FROZEN, IDLE, CLOSED -> {}
    }
  }

  /** A proxy left. What all proxies are shown at a cold start may have been the cause. */
  void left(String node, String proxyClass) {
    Trial everything = state.trial();
    if (state.kind() == RolloutState.Kind.COLD_START && everything != null) {
      lost.addCold(node, proxyClass, everything);
    } else {
      lost.left(node);
    }
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
    boolean refused = false;
    RolloutDecision next = decider.decide(state);
    while (!(next instanceof RolloutDecision.Wait)) {
      refused |= next.kind() == RolloutDecision.Kind.ATTRIBUTE;
      RolloutActions.Step step = actions.perform(next, state);
      RolloutTransitions.check(state.kind(), next.kind(), step.state().kind());
      state = step.state();
      next = step.next();
    }
    Duration wakeUp = ((RolloutDecision.Wait) next).wakeUp();
    if (!wakeUp.isZero()) {
      timer.in(wakeUp);
    }
    if (refused && state.trial() == null) {
      // A proxy that refused is asked again only after it was shown something else.
      actions.publish(state);
    }
  }
}
