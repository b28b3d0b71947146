// SPDX-License-Identifier: Apache-2.0
/** Side by side with the peers, in one run. */
@NullMarked
package dev.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
