// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.benchmarks.attribution;

import org.jspecify.annotations.NullMarked;
