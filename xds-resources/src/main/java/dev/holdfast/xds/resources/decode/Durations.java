// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import com.google.protobuf.Duration;
import dev.holdfast.base.Problems;
import org.jspecify.annotations.Nullable;

/** Durations of the configuration: well-formed by protobuf's own rules, and never negative. */
public final class Durations {
  /** About 10,000 years: the limit that google.protobuf.Duration sets itself. */
  private static final long MAX_SECONDS = 315_576_000_000L;

  private static final int MAX_NANOS = 999_999_999;

  private Durations() {}

  /** The duration, or null after reporting why it is none. */
  public static java.time.@Nullable Duration decode(Duration proto, Problems problems) {
    long seconds = proto.getSeconds();
    int nanos = proto.getNanos();
    if (seconds < 0 || nanos < 0) {
      problems.invalid(describe(proto) + " (expected: not negative)");
      return null;
    }
    if (seconds > MAX_SECONDS || nanos > MAX_NANOS) {
      problems.invalid(
          describe(proto)
              + " (expected: at most "
              + MAX_SECONDS
              + " seconds and "
              + MAX_NANOS
              + " nanos)");
      return null;
    }
    return java.time.Duration.ofSeconds(seconds, nanos);
  }

  /** The numbers as they were sent; they need not make a valid duration. */
  public static String describe(Duration proto) {
    return proto.getNanos() == 0
        ? proto.getSeconds() + " s"
        : proto.getSeconds() + " s " + proto.getNanos() + " ns";
  }
}
