// SPDX-License-Identifier: Apache-2.0
/** The web console: files for a browser, which asks the admin API for everything else. */
@NullMarked
package dev.holdfast.server.console;

import org.jspecify.annotations.NullMarked;
