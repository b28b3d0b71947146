// SPDX-License-Identifier: Apache-2.0
/** Prints lines, tables, JSON and YAML, independent of their content. */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
