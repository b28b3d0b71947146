// SPDX-License-Identifier: Apache-2.0
/** Holds: objects kept at their last good generation, and the evidence for it. */
@NullMarked
package dev.holdfast.controlplane.rollout.hold;

import org.jspecify.annotations.NullMarked;
