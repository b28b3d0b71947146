// SPDX-License-Identifier: Apache-2.0
/** How lines of the log look, and which of them are written. */
@NullMarked
package dev.holdfast.cli.log;

import org.jspecify.annotations.NullMarked;
