// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import static java.util.Objects.requireNonNull;

/**
 * How proxies treat all requests.
 *
 * @param mergeSlashes whether several slashes in a row count as one
 * @param compression of responses, for clients that accept it
 * @param trustedHops how many proxies in front of this one tell the address of the client
 */
public record EdgeOptions(boolean mergeSlashes, Compression compression, int trustedHops) {
  /** As Contour does it. */
  public static final EdgeOptions DEFAULT =
      new EdgeOptions(/* mergeSlashes= */ true, Compression.GZIP, /* trustedHops= */ 0);

  /** How responses are compressed. */
  public enum Compression {
    GZIP,
    BROTLI,
    ZSTD,
    DISABLED
  }

  public EdgeOptions {
    requireNonNull(compression, "compression");
    if (trustedHops < 0) {
      throw new IllegalArgumentException("trustedHops: " + trustedHops + " (expected: 0 or more)");
    }
  }
}
