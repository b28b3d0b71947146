// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/**
 * A proxy that refuses what other proxies of its class run, or accepts what they refuse. It keeps
 * what it had, and does not vote until it reconnects.
 *
 * @param connection the connection on which it refused
 * @param resource the resource that it disagrees about
 * @param accepts whether it accepts what the others refuse
 * @param message the error text of whoever refuses, sanitised
 */
public record DivergedProxy(
    String node,
    String proxyClass,
    long connection,
    ResourceId resource,
    boolean accepts,
    String message,
    Instant since) {
  /** The same with another message. */
  public DivergedProxy withMessage(String other) {
    return new DivergedProxy(node, proxyClass, connection, resource, accepts, other, since);
  }
}
