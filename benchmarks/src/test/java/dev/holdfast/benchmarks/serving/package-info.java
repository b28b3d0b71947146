// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
