// SPDX-License-Identifier: Apache-2.0
/** Waits until proxies run what objects say, and shows how far they are. */
@NullMarked
package dev.holdfast.cli.waiting;

import org.jspecify.annotations.NullMarked;
