// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event, as watchers receive it.
 *
 * @param id ascending; a gap means that events were dropped
 * @param kind such as {@code object-changed}, {@code status}, {@code accepted}, {@code rejected},
 *     {@code proxy-connected}, {@code proxy-left}
 * @param object null if the event is not about an object
 * @param resource empty if the event is not about a resource
 * @param proxy the node id; empty if the event is not about a proxy
 */
public record Event(
    long id,
    Instant at,
    String kind,
    @Nullable ObjectKey object,
    long generation,
    String resource,
    String proxy,
    String message) {}
