// SPDX-License-Identifier: Apache-2.0
/** Objects in, resources out: pure, deterministic, at the cost of what changed. */
@NullMarked
package dev.holdfast.controlplane.translate;

import org.jspecify.annotations.NullMarked;
