// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When and how often a call is tried again: gRPC's own retry policy, converted from Envoy's as gRFC
 * A44 says.
 *
 * @param retryableCodes never empty: without any there is no policy
 * @param maxAttempts the first one included, 2 to 5
 * @param initialBackoff at least 1 ms
 * @param maxBackoff at least {@code initialBackoff}
 * @param perTryTimeout how long each attempt may take until the response begins; null for no limit
 *     of its own, which is all there is unless a client asks for more than gRFC A44
 */
public record RetryPolicy(
    Set<RetryableCode> retryableCodes,
    int maxAttempts,
    Duration initialBackoff,
    Duration maxBackoff,
    @Nullable Duration perTryTimeout) {

  /** How much longer each backoff is than the one before. */
  public static final int BACKOFF_MULTIPLIER = 2;

  public RetryPolicy {
    if (retryableCodes.isEmpty()) {
      throw new IllegalArgumentException("retryableCodes: [] (expected: at least one)");
    }
    // An EnumSet iterates in the order of the enum, not in one that changes with the JVM.
    retryableCodes = Collections.unmodifiableSet(EnumSet.copyOf(retryableCodes));
  }

  /** The same, as gRFC A44 has it. */
  RetryPolicy withoutPerTryTimeout() {
    return perTryTimeout == null
        ? this
        : new RetryPolicy(retryableCodes, maxAttempts, initialBackoff, maxBackoff, null);
  }
}
