// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

/** What a rollout reacts to. */
enum RolloutEvent {
  /** Authors created, edited or deleted objects. The first one reports all objects there are. */
  OBJECTS_CHANGED,
  /** A proxy connected, left, or answered; or an operator asked for a retry. */
  FLEET_CHANGED,
  /** The rollout's own timer fired. */
  TIMER_FIRED,
  /** The state store has written what was committed. */
  STATE_WRITTEN,
  /** Most proxies of a class refuse what was committed, and get back what they had. */
  COMMIT_UNDONE,
  /** The rollout ends: the server stops, or the class joins another rollout. */
  CLOSED
}
