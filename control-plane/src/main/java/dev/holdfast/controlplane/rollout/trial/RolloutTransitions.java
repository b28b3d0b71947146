// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.CLOSED;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.COLD_START;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.FROZEN;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.IDLE;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.JUDGING;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.SEARCHING;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.SEARCH_WAITING;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.TRYING;

import dev.holdfast.controlplane.rollout.trial.RolloutState.Kind;
import java.util.EnumSet;
import java.util.Set;

/**
 * The transitions of a rollout; {@link RolloutMachine} checks each of its steps. What is not listed
 * cannot happen; a test compares the table with the code:
 *
 * <pre>
 * state            | event or decision | next state
 * -----------------|-------------------|-----------------------------
 * AWAITING_OBJECTS | OBJECTS_CHANGED   | IDLE TRYING
 * AWAITING_OBJECTS | COMMIT_UNDONE     | AWAITING_OBJECTS
 * COLD_START       | OBJECTS_CHANGED   | COLD_START
 * COLD_START       | COMMIT_UNDONE     | COLD_START
 * COLD_START       | SHOW_EVERYTHING   | COLD_START
 * COLD_START       | COMMIT            | IDLE
 * COLD_START       | HOLD_FOUND        | COLD_START
 * COLD_START       | ATTRIBUTE         | IDLE SEARCH_WAITING
 * FROZEN           | OBJECTS_CHANGED   | FROZEN
 * FROZEN           | COMMIT_UNDONE     | FROZEN
 * FROZEN           | SHOW_EVERYTHING   | COLD_START
 * FROZEN           | HOLD_FOUND        | FROZEN
 * FROZEN           | ATTRIBUTE         | IDLE SEARCH_WAITING
 * IDLE             | OBJECTS_CHANGED   | IDLE
 * IDLE             | COMMIT_UNDONE     | IDLE
 * IDLE             | SHOW_EVERYTHING   | COLD_START
 * IDLE             | START_TRIAL       | IDLE TRYING
 * IDLE             | FREEZE            | FROZEN
 * IDLE             | CONVICT           | IDLE
 * IDLE             | HOLD_FOUND        | IDLE
 * IDLE             | ACQUIT            | IDLE
 * IDLE             | REST              | IDLE
 * TRYING           | OBJECTS_CHANGED   | IDLE TRYING
 * TRYING           | COMMIT_UNDONE     | IDLE
 * TRYING           | CONFIRM           | TRYING
 * TRYING           | COMMIT            | IDLE
 * TRYING           | ATTRIBUTE         | IDLE SEARCH_WAITING
 * TRYING           | REPLACE_CANARY    | IDLE
 * TRYING           | LOSE_CANARY       | IDLE
 * SEARCHING        | OBJECTS_CHANGED   | IDLE TRYING SEARCHING SEARCH_WAITING
 * SEARCHING        | COMMIT_UNDONE     | IDLE
 * SEARCHING        | CONFIRM           | SEARCHING
 * SEARCHING        | COMMIT            | IDLE SEARCH_WAITING
 * SEARCHING        | ADVANCE_SEARCH    | SEARCH_WAITING
 * SEARCHING        | ATTRIBUTE         | IDLE SEARCH_WAITING
 * SEARCHING        | REPLACE_CANARY    | IDLE SEARCH_WAITING
 * SEARCHING        | LOSE_CANARY       | IDLE
 * SEARCH_WAITING   | OBJECTS_CHANGED   | IDLE SEARCH_WAITING
 * SEARCH_WAITING   | COMMIT_UNDONE     | IDLE
 * SEARCH_WAITING   | START_TRIAL       | IDLE SEARCHING SEARCH_WAITING
 * SEARCH_WAITING   | MOVE_SEARCH       | SEARCH_WAITING
 * SEARCH_WAITING   | START_OVER        | IDLE
 * SEARCH_WAITING   | JUDGE             | JUDGING
 * SEARCH_WAITING   | HOLD_OFFENDER     | IDLE
 * SEARCH_WAITING   | SUSPEND_SUSPECTS  | IDLE
 * SEARCH_WAITING   | LEAVE_OUT_CLASS   | IDLE
 * SEARCH_WAITING   | FREEZE            | FROZEN
 * JUDGING          | OBJECTS_CHANGED   | IDLE JUDGING
 * JUDGING          | COMMIT_UNDONE     | IDLE
 * JUDGING          | START_TRIAL       | IDLE TRYING
 * JUDGING          | ATTRIBUTE         | IDLE SEARCH_WAITING
 * JUDGING          | REPLACE_CANARY    | IDLE
 * JUDGING          | LOSE_CANARY       | IDLE
 * JUDGING          | JUDGE             | JUDGING
 * JUDGING          | OVERRULE          | IDLE
 * JUDGING          | HOLD_OFFENDER     | IDLE
 * CLOSED           | OBJECTS_CHANGED   | CLOSED
 * CLOSED           | COMMIT_UNDONE     | CLOSED
 * (every state)    | CLOSED            | CLOSED
 * </pre>
 */
final class RolloutTransitions {
  private static final Set<Kind> NONE = EnumSet.noneOf(Kind.class);

  private RolloutTransitions() {}

  /** The states that an event leads to by itself, before anything is decided. */
  static Set<Kind> on(RolloutEvent event, Kind state) {
    return switch (event) {
      case OBJECTS_CHANGED ->
          switch (state) {
            case AWAITING_OBJECTS, TRYING -> EnumSet.of(IDLE, TRYING);
            case COLD_START, FROZEN, IDLE, CLOSED -> EnumSet.of(state);
            case SEARCHING -> EnumSet.of(IDLE, TRYING, SEARCHING, SEARCH_WAITING);
            case SEARCH_WAITING -> EnumSet.of(IDLE, SEARCH_WAITING);
            case JUDGING -> EnumSet.of(IDLE, JUDGING);
          };
      case FLEET_CHANGED, TIMER_FIRED, STATE_WRITTEN -> EnumSet.of(state);
      case COMMIT_UNDONE ->
          switch (state) {
            case AWAITING_OBJECTS, COLD_START, FROZEN, CLOSED -> EnumSet.of(state);
            case IDLE, TRYING, SEARCHING, SEARCH_WAITING, JUDGING -> EnumSet.of(IDLE);
          };
      case CLOSED -> EnumSet.of(CLOSED);
    };
  }

  /** The states that a decision leads to; none if it is not taken in this state. */
  static Set<Kind> after(RolloutDecision.Kind decision, Kind state) {
    return switch (decision) {
      case WAIT -> EnumSet.of(state);
      case SHOW_EVERYTHING ->
          switch (state) {
            case COLD_START, FROZEN, IDLE -> EnumSet.of(COLD_START);
            case AWAITING_OBJECTS, TRYING, SEARCHING, SEARCH_WAITING, JUDGING, CLOSED -> NONE;
          };
      case START_TRIAL ->
          switch (state) {
            case IDLE, JUDGING -> EnumSet.of(IDLE, TRYING);
            case SEARCH_WAITING -> EnumSet.of(IDLE, SEARCHING, SEARCH_WAITING);
            case AWAITING_OBJECTS, COLD_START, FROZEN, TRYING, SEARCHING, CLOSED -> NONE;
          };
      case CONFIRM -> state == TRYING || state == SEARCHING ? EnumSet.of(state) : NONE;
      case COMMIT ->
          switch (state) {
            case COLD_START, TRYING -> EnumSet.of(IDLE);
            case SEARCHING -> EnumSet.of(IDLE, SEARCH_WAITING);
            case AWAITING_OBJECTS, FROZEN, IDLE, SEARCH_WAITING, JUDGING, CLOSED -> NONE;
          };
      case ADVANCE_SEARCH -> state == SEARCHING ? EnumSet.of(SEARCH_WAITING) : NONE;
      case ATTRIBUTE ->
          switch (state) {
            case COLD_START, FROZEN, TRYING, SEARCHING, JUDGING -> EnumSet.of(IDLE, SEARCH_WAITING);
            case AWAITING_OBJECTS, IDLE, SEARCH_WAITING, CLOSED -> NONE;
          };
      case REPLACE_CANARY ->
          switch (state) {
            case TRYING, JUDGING -> EnumSet.of(IDLE);
            case SEARCHING -> EnumSet.of(IDLE, SEARCH_WAITING);
            case AWAITING_OBJECTS, COLD_START, FROZEN, IDLE, SEARCH_WAITING, CLOSED -> NONE;
          };
      case LOSE_CANARY ->
          switch (state) {
            case TRYING, SEARCHING, JUDGING -> EnumSet.of(IDLE);
            case AWAITING_OBJECTS, COLD_START, FROZEN, IDLE, SEARCH_WAITING, CLOSED -> NONE;
          };
      case CONVICT, ACQUIT -> state == IDLE ? EnumSet.of(IDLE) : NONE;
      case HOLD_FOUND ->
          switch (state) {
            case COLD_START, FROZEN, IDLE -> EnumSet.of(state);
            case AWAITING_OBJECTS, TRYING, SEARCHING, SEARCH_WAITING, JUDGING, CLOSED -> NONE;
          };
      case MOVE_SEARCH -> ofSearch(state, SEARCH_WAITING);
      case JUDGE -> state == SEARCH_WAITING || state == JUDGING ? EnumSet.of(JUDGING) : NONE;
      case OVERRULE -> state == JUDGING ? EnumSet.of(IDLE) : NONE;
      case HOLD_OFFENDER -> state == JUDGING ? EnumSet.of(IDLE) : ofSearch(state, IDLE);
      case START_OVER, SUSPEND_SUSPECTS, LEAVE_OUT_CLASS -> ofSearch(state, IDLE);
      case FREEZE -> state == IDLE ? EnumSet.of(FROZEN) : ofSearch(state, FROZEN);
      case REST -> state == IDLE ? EnumSet.of(IDLE) : NONE;
    };
  }

  private static Set<Kind> ofSearch(Kind state, Kind next) {
    return state == SEARCH_WAITING ? EnumSet.of(next) : NONE;
  }

  /** Fails on a transition that is not listed, which is a bug in the machine. */
  static void check(Kind before, RolloutEvent event, Kind after) {
    check(before, event.name(), after, on(event, before));
  }

  /** The same for a decision. */
  static void check(Kind before, RolloutDecision.Kind decision, Kind after) {
    check(before, decision.name(), after, after(decision, before));
  }

  private static void check(Kind before, String cause, Kind after, Set<Kind> expected) {
    if (!expected.contains(after)) {
      throw new IllegalStateException(
          "a rollout in state "
              + before
              + " became "
              + after
              + " on "
              + cause
              + " (expected: "
              + expected
              + ")");
    }
  }
}
