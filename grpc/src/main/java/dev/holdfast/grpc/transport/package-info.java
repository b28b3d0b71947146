// SPDX-License-Identifier: Apache-2.0
/**
 * The engine's wire, made of gRPC channels. Start at {@link
 * dev.holdfast.grpc.transport.GrpcTransportFactory}.
 */
@NullMarked
package dev.holdfast.grpc.transport;

import org.jspecify.annotations.NullMarked;
