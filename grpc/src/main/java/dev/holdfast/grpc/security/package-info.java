// SPDX-License-Identifier: Apache-2.0
/**
 * How the connections of a channel are secured if the control plane says so (gRFC A29): {@link
 * dev.holdfast.grpc.security.HoldfastChannelCredentials} is what an application asks for it with.
 * What a cluster asks for is either done or refused; it is never left out.
 */
@NullMarked
package dev.holdfast.grpc.security;

import org.jspecify.annotations.NullMarked;
