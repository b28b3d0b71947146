// SPDX-License-Identifier: Apache-2.0
/** The steps of the demo. */
@NullMarked
package dev.holdfast.demo.step;

import org.jspecify.annotations.NullMarked;
