// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.benchmarks.kubernetes;

import org.jspecify.annotations.NullMarked;
