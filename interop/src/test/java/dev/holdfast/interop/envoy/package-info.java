// SPDX-License-Identifier: Apache-2.0
/** A real Envoy in tests: the process, what is behind it, and clients in front of it. */
@NullMarked
package dev.holdfast.interop.envoy;

import org.jspecify.annotations.NullMarked;
