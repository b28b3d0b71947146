// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.CLOSED;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.COLD_START;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.FROZEN;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.IDLE;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.SEARCHING;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.SEARCH_WAITING;
import static dev.holdfast.controlplane.rollout.trial.RolloutState.Kind.TRYING;

import dev.holdfast.controlplane.rollout.trial.RolloutState.Kind;
import java.util.EnumSet;
import java.util.Set;

/**
 * The transitions of a rollout. The class doc of {@link RolloutMachine} lists them for people, and
 * a test compares the two; the machine checks each of its steps.
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
          };
      case FLEET_CHANGED, TIMER_FIRED, STATE_WRITTEN -> EnumSet.of(state);
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
            case AWAITING_OBJECTS, TRYING, SEARCHING, SEARCH_WAITING, CLOSED -> NONE;
          };
      case START_TRIAL ->
          switch (state) {
            case IDLE -> EnumSet.of(IDLE, TRYING);
            case SEARCH_WAITING -> EnumSet.of(IDLE, SEARCHING, SEARCH_WAITING);
            case AWAITING_OBJECTS, COLD_START, FROZEN, TRYING, SEARCHING, CLOSED -> NONE;
          };
      case COMMIT ->
          switch (state) {
            case COLD_START, TRYING -> EnumSet.of(IDLE);
            case SEARCHING -> EnumSet.of(SEARCH_WAITING);
            case AWAITING_OBJECTS, FROZEN, IDLE, SEARCH_WAITING, CLOSED -> NONE;
          };
      case ATTRIBUTE ->
          switch (state) {
            case COLD_START, FROZEN, TRYING -> EnumSet.of(IDLE, SEARCH_WAITING);
            case SEARCHING -> EnumSet.of(SEARCH_WAITING);
            case AWAITING_OBJECTS, IDLE, SEARCH_WAITING, CLOSED -> NONE;
          };
      case REPLACE_CANARY ->
          switch (state) {
            case TRYING -> EnumSet.of(IDLE);
            case SEARCHING -> EnumSet.of(SEARCH_WAITING);
            case AWAITING_OBJECTS, COLD_START, FROZEN, IDLE, SEARCH_WAITING, CLOSED -> NONE;
          };
      case LOSE_CANARY ->
          switch (state) {
            case TRYING, SEARCHING -> EnumSet.of(IDLE);
            case AWAITING_OBJECTS, COLD_START, FROZEN, IDLE, SEARCH_WAITING, CLOSED -> NONE;
          };
      case CONVICT, ACQUIT -> state == IDLE ? EnumSet.of(IDLE) : NONE;
      case MOVE_SEARCH -> ofSearch(state, SEARCH_WAITING);
      case START_OVER, HOLD_OFFENDER, SUSPEND_SUSPECTS, LEAVE_OUT_CLASS -> ofSearch(state, IDLE);
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
