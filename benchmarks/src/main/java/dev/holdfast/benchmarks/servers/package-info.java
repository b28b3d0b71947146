// SPDX-License-Identifier: Apache-2.0
/** The xDS servers that are measured, each in a JVM of its own. */
@NullMarked
package dev.holdfast.benchmarks.servers;

import org.jspecify.annotations.NullMarked;
