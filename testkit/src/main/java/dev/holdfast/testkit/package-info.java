// SPDX-License-Identifier: Apache-2.0
/** A manual clock and scripted servers. */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
