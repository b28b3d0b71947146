// SPDX-License-Identifier: Apache-2.0
/** Programs that run in processes of their own, so that they can be stalled and killed. */
@NullMarked
package dev.holdfast.interop.peer;

import org.jspecify.annotations.NullMarked;
