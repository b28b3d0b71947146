// SPDX-License-Identifier: Apache-2.0
/** Assembles resources from fragments, and snapshots from resources. */
@NullMarked
package dev.holdfast.controlplane.translate.assemble;

import org.jspecify.annotations.NullMarked;
