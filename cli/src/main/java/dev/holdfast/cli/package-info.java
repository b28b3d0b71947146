// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code holdfast} command. One class per command; {@link dev.holdfast.cli.Main} puts them
 * together and turns whatever happens into an exit code and one line of text.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
