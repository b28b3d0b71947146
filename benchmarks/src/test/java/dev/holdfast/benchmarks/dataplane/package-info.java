// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.benchmarks.dataplane;

import org.jspecify.annotations.NullMarked;
