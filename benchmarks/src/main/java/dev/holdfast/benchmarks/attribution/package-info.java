// SPDX-License-Identifier: Apache-2.0
/** What it costs to find out who is to blame. */
@NullMarked
package dev.holdfast.benchmarks.attribution;

import org.jspecify.annotations.NullMarked;
