// SPDX-License-Identifier: Apache-2.0
/** Typed access to the values that an author wrote, with their positions. */
@NullMarked
package dev.holdfast.controlplane.objects.read;

import org.jspecify.annotations.NullMarked;
