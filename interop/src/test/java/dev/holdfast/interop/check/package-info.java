// SPDX-License-Identifier: Apache-2.0
/** {@code holdfast check} on real Envoys. */
@NullMarked
package dev.holdfast.interop.check;

import org.jspecify.annotations.NullMarked;
