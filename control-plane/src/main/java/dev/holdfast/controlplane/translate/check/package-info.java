// SPDX-License-Identifier: Apache-2.0
/** Checks that need the whole set of objects: references, and competing claims. */
@NullMarked
package dev.holdfast.controlplane.translate.check;

import org.jspecify.annotations.NullMarked;
