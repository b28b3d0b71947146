// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * When and how often a call is tried again: gRPC's own retry policy, converted from Envoy's as gRFC
 * A44 says.
 *
 * @param retryableCodes never empty: without any there is no policy
 * @param maxAttempts the first one included, 2 to 5
 * @param initialBackoff at least 1 ms
 * @param maxBackoff at least {@code initialBackoff}
 */
public record RetryPolicy(
    Set<RetryableCode> retryableCodes,
    int maxAttempts,
    Duration initialBackoff,
    Duration maxBackoff) {

  /** How much longer each backoff is than the one before. */
  public static final int BACKOFF_MULTIPLIER = 2;

  public RetryPolicy {
    if (retryableCodes.isEmpty()) {
      throw new IllegalArgumentException("retryableCodes: [] (expected: at least one)");
    }
    // An EnumSet iterates in the order of the enum, not in one that changes with the JVM.
    retryableCodes = Collections.unmodifiableSet(EnumSet.copyOf(retryableCodes));
  }
}
