// SPDX-License-Identifier: Apache-2.0
/** Hands traces of changes on to a collector, over OTLP. */
@NullMarked
package dev.holdfast.server.trace;

import org.jspecify.annotations.NullMarked;
