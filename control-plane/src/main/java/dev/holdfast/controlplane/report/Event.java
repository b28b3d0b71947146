// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, for those who watch.
 *
 * @param id ascending; a gap means that some were dropped
 * @param kind such as {@code object-changed}, {@code status}, {@code accepted}, {@code rejected},
 *     {@code proxy-connected}, {@code proxy-left}
 * @param object null if it is about none
 * @param resource empty if it is about none
 * @param proxy the node; empty if it is about none
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
