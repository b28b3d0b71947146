// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/**
 * A proxy that refuses what others of its class run. It keeps what it had, and nobody asks it about
 * anything new until it comes back.
 *
 * @param connection the one that it did so on
 * @param resource what it refused
 * @param message what it said, fit to be shown
 */
public record DivergedProxy(
    String node,
    String proxyClass,
    long connection,
    ResourceId resource,
    String message,
    Instant since) {}
