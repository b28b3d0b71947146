// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * The latest NACK of a type on a stream.
 *
 * @param message the error text without sensitive values
 * @param names of the resources that the rejected response changed or removed, at most a hundred
 */
public record LastNack(String message, Instant at, List<String> names) {
  private static final int MAX_NAMES = 100;

  static LastNack of(String message, Instant at, Collection<String> names) {
    return new LastNack(message, at, names.stream().limit(MAX_NAMES).toList());
  }
}
