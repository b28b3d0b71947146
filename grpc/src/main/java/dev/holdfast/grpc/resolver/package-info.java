// SPDX-License-Identifier: Apache-2.0

/**
 * {@code xds:} targets for gRPC channels: from the target to the listener (gRFC A47), the engine
 * that asks for it (gRFC A71), and the configuration that a channel acts on.
 */
@NullMarked
package dev.holdfast.grpc.resolver;

import org.jspecify.annotations.NullMarked;
