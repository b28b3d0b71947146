// SPDX-License-Identifier: Apache-2.0
/** Processes that end when this one does, and where they live. */
@NullMarked
package dev.holdfast.demo.process;

import org.jspecify.annotations.NullMarked;
