// SPDX-License-Identifier: Apache-2.0
/** The way of one change from its author to its status, as the spans of one trace. */
@NullMarked
package dev.holdfast.controlplane.trace;

import org.jspecify.annotations.NullMarked;
