// SPDX-License-Identifier: Apache-2.0
/** Translates objects into xDS resources: purely, deterministically, and incrementally. */
@NullMarked
package dev.holdfast.controlplane.translate;

import org.jspecify.annotations.NullMarked;
