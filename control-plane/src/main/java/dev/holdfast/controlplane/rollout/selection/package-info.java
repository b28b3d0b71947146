// SPDX-License-Identifier: Apache-2.0
/**
 * Selections of objects: the baseline, what authors want, bundles of changes that move together,
 * and trials of them.
 */
@NullMarked
package dev.holdfast.controlplane.rollout.selection;

import org.jspecify.annotations.NullMarked;
