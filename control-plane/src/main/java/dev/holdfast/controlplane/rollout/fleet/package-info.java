// SPDX-License-Identifier: Apache-2.0
/**
 * The connected proxies as the rollout sees them: who is there, and what each made of what it was
 * sent.
 */
@NullMarked
package dev.holdfast.controlplane.rollout.fleet;

import org.jspecify.annotations.NullMarked;
