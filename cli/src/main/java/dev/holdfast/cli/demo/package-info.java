// SPDX-License-Identifier: Apache-2.0
/** The command that shows all of it at work. */
@NullMarked
package dev.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
