// SPDX-License-Identifier: Apache-2.0
/** Objects as their authors wrote them, and what is said of them: no format, no wire. */
@NullMarked
package dev.holdfast.config;

import org.jspecify.annotations.NullMarked;
