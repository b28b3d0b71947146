// SPDX-License-Identifier: Apache-2.0
/** Resources as text, and what decoding them gives. */
@NullMarked
package dev.holdfast.xds.resources.testing;

import org.jspecify.annotations.NullMarked;
