// SPDX-License-Identifier: Apache-2.0
/** Requests that show whether routes work in a proxy, and the sink that answers them. */
@NullMarked
package dev.holdfast.server.probe;

import org.jspecify.annotations.NullMarked;
