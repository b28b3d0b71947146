// SPDX-License-Identifier: Apache-2.0
/** What every other module may use: problems, decoding results, the serial loop and its time. */
@NullMarked
package dev.holdfast.base;

import org.jspecify.annotations.NullMarked;
