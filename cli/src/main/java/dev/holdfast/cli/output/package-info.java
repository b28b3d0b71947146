// SPDX-License-Identifier: Apache-2.0
/** Lines, tables and JSON for people and programs; knows nothing of what they say. */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
