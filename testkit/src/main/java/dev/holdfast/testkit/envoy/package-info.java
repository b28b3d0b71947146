// SPDX-License-Identifier: Apache-2.0
/** An Envoy that is none: takes configuration as the real one does, with all its traps. */
@NullMarked
package dev.holdfast.testkit.envoy;

import org.jspecify.annotations.NullMarked;
