// SPDX-License-Identifier: Apache-2.0
/** What was measured, for people and for machines. */
@NullMarked
package dev.holdfast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
