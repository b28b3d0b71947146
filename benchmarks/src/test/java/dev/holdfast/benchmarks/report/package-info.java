// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
