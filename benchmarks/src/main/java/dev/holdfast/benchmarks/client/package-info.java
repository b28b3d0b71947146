// SPDX-License-Identifier: Apache-2.0
/** The clients that are compared, each driven in the same way over the same wire. */
@NullMarked
package dev.holdfast.benchmarks.client;

import org.jspecify.annotations.NullMarked;
