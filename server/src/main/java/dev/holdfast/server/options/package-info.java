// SPDX-License-Identifier: Apache-2.0
/** What the daemon is told: flags, a file, defaults; and why it cannot start with that. */
@NullMarked
package dev.holdfast.server.options;

import org.jspecify.annotations.NullMarked;
