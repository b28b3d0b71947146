// SPDX-License-Identifier: Apache-2.0
/** Backends, and clients that never stop calling them. */
@NullMarked
package dev.holdfast.demo.traffic;

import org.jspecify.annotations.NullMarked;
