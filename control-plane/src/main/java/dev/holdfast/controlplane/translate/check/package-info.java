// SPDX-License-Identifier: Apache-2.0
/** What only a whole set of objects can tell of one of them. */
@NullMarked
package dev.holdfast.controlplane.translate.check;

import org.jspecify.annotations.NullMarked;
