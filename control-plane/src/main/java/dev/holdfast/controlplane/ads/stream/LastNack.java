// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import java.time.Instant;
import java.util.List;

/**
 * The latest NACK of a type on a stream.
 *
 * @param message the error text without sensitive values
 * @param names of the resources in the rejected response
 */
public record LastNack(String message, Instant at, List<String> names) {}
