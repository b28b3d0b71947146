// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/**
 * The evidence: proxies of a class accepted a selection, and refused it with one object's part of a
 * resource added.
 *
 * @param part the digest of the object's part
 * @param message what the proxy said, fit to be shown
 */
public record Evidence(
    String proxyClass,
    String agent,
    ResourceId resource,
    String part,
    String message,
    Instant at) {}
