// SPDX-License-Identifier: Apache-2.0
/** Resources made of fragments, and what becomes of a snapshot when some of them change. */
@NullMarked
package dev.holdfast.controlplane.translate.assemble;

import org.jspecify.annotations.NullMarked;
