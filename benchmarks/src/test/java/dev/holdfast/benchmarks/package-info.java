// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
