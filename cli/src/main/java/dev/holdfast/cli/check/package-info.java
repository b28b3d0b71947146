// SPDX-License-Identifier: Apache-2.0
/** {@code holdfast check}: what real proxies make of objects in files. */
@NullMarked
package dev.holdfast.cli.check;

import org.jspecify.annotations.NullMarked;
