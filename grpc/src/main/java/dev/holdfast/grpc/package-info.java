// SPDX-License-Identifier: Apache-2.0
/**
 * The xDS client for gRPC processes. {@link dev.holdfast.grpc.XdsClientBuilder} makes one out of a
 * bootstrap; {@link dev.holdfast.grpc.XdsTypes} are the resources it can watch.
 */
@NullMarked
package dev.holdfast.grpc;

import org.jspecify.annotations.NullMarked;
