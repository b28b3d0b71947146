// SPDX-License-Identifier: Apache-2.0
/**
 * What a gRPC process is told about its control plane before it starts (gRFC A27, A47, A65, A71,
 * A81). Start at {@link dev.holdfast.grpc.bootstrap.XdsBootstrap}.
 */
@NullMarked
package dev.holdfast.grpc.bootstrap;

import org.jspecify.annotations.NullMarked;
