// SPDX-License-Identifier: Apache-2.0
/**
 * Listener: where a client finds its routes (gRFC A27, A39), and what a server listens on (A36,
 * A29). {@link ListenerDecoder} is the way in.
 */
@NullMarked
package dev.holdfast.xds.resources.listener;

import org.jspecify.annotations.NullMarked;
