// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/**
 * A proxy that refuses what other proxies of its class run. It keeps what it had, and does not vote
 * until it reconnects.
 *
 * @param connection the connection on which it refused
 * @param resource the resource that it refused
 * @param message the proxy's error text, sanitised
 */
public record DivergedProxy(
    String node,
    String proxyClass,
    long connection,
    ResourceId resource,
    String message,
    Instant since) {}
