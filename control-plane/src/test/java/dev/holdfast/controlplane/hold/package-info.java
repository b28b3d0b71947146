// SPDX-License-Identifier: Apache-2.0
/** Stories of bad configuration among good, with fake Envoys, on one thread and a manual clock. */
@NullMarked
package dev.holdfast.controlplane.hold;

import org.jspecify.annotations.NullMarked;
