// SPDX-License-Identifier: Apache-2.0
/** The archive, as somebody gets it who has never seen the sources. */
@NullMarked
package dev.holdfast.dist;

import org.jspecify.annotations.NullMarked;
