// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/**
 * Proof against one object: proxies of a class accepted a selection, and refused it with this
 * object's contribution to a resource added.
 *
 * @param part the digest of the object's contribution
 * @param message the proxy's error text, sanitised
 */
public record Evidence(
    String proxyClass,
    String agent,
    ResourceId resource,
    String part,
    String message,
    Instant at) {}
