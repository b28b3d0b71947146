// SPDX-License-Identifier: Apache-2.0
/** The daemon's options: flags, file, defaults, and the errors of each. */
@NullMarked
package dev.holdfast.server.options;

import org.jspecify.annotations.NullMarked;
