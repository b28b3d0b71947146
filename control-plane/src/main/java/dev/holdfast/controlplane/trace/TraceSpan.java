// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.trace;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A part of the way of a change, when it is over.
 *
 * @param traceId 32 hexadecimal digits, the same for all spans of the change
 * @param spanId 16 hexadecimal digits
 * @param parentId the span that this one is a part of; empty for the whole
 * @param attributes facts, by the names that docs/operations.md explains
 * @param error what went wrong; empty if nothing did
 */
public record TraceSpan(
    String traceId,
    String spanId,
    String parentId,
    String name,
    Instant start,
    Instant end,
    SortedMap<String, String> attributes,
    String error) {
  public TraceSpan {
    attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
  }
}
