// SPDX-License-Identifier: Apache-2.0
/**
 * xDS over gRPC: services, messages as bytes, and the threads that read and write them.
 *
 * <p>The door is {@link dev.holdfast.controlplane.ads.wire.DiscoveryServices}. It gives every new
 * stream to a {@link dev.holdfast.controlplane.ads.wire.StreamAcceptor} and knows nothing else of
 * the control plane.
 */
@NullMarked
package dev.holdfast.controlplane.ads.wire;

import org.jspecify.annotations.NullMarked;
