// SPDX-License-Identifier: Apache-2.0
/**
 * One rollout: a state machine that tries changes on canaries, commits what they accept and holds
 * what they refuse. {@link dev.holdfast.controlplane.rollout.trial.Rollout} is the door.
 */
@NullMarked
package dev.holdfast.controlplane.rollout.trial;

import org.jspecify.annotations.NullMarked;
