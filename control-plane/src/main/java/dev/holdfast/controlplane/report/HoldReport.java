// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An object that proxies are kept from, in one generation.
 *
 * @param generation the one that is held; while a newer one is tried, it is not the newest
 * @param servedGeneration the one that is served instead; 0 if none is
 * @param reason as in the condition {@code Programmed}
 * @param heldFor the class of proxies that it is kept from; empty if from all that do not go their
 *     own way
 * @param proxyClass those that refused it; empty if the object itself was not refused
 * @param resource where they refused it; null if the object itself was not refused
 * @param message what a proxy said, fit to be shown, or what the object waits for
 * @param cause the object that this one has to wait for; null if it is none
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
    Instant since) {}
