// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A held generation of an object.
 *
 * @param generation the held one; while a newer one is on trial, it is not the newest
 * @param servedGeneration the one that is served instead; 0 if none is
 * @param reason as in the condition {@code Programmed}
 * @param heldFor the separate proxy class for which it is held; empty if it is held in the common
 *     rollout
 * @param proxyClass the class that rejected it; empty if the object itself was not rejected
 * @param resource the rejected resource; null if the object itself was not rejected
 * @param message the proxy's error message, sanitised, or what the object waits for
 * @param cause the object that this one waits for; null if there is none
 */
public record HoldReport(
    ObjectKey key,
    long generation,
    long servedGeneration,
    String reason,
    String heldFor,
    String proxyClass,
    @Nullable ResourceId resource,
    String message,
    @Nullable ObjectKey cause,
    Instant since) {

  /** The same since an earlier time, if that is known. */
  public HoldReport since(@Nullable Instant earlier) {
    return earlier == null || !earlier.isBefore(since)
        ? this
        : new HoldReport(
            key,
            generation,
            servedGeneration,
            reason,
            heldFor,
            proxyClass,
            resource,
            message,
            cause,
            earlier);
  }
}
