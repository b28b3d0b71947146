// SPDX-License-Identifier: Apache-2.0
/** The web console in a real browser. */
@NullMarked
package dev.holdfast.interop.console;

import org.jspecify.annotations.NullMarked;
