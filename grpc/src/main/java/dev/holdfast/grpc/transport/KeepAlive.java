// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import java.time.Duration;

/**
 * When a server that says nothing is asked whether it is still there.
 *
 * @param after how long it may say nothing; gRPC waits for at least 10 s
 * @param patience how long the answer may take before the connection is given up
 */
public record KeepAlive(Duration after, Duration patience) {
  public KeepAlive {
    if (after.isNegative() || after.isZero() || patience.isNegative() || patience.isZero()) {
      throw new IllegalArgumentException(
          "after, patience: " + after + ", " + patience + " (expected: both > 0)");
    }
  }
}
