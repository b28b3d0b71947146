// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import dev.holdfast.controlplane.objects.read.Timeout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations as protobuf messages. */
public final class Times {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final com.google.protobuf.Duration NEVER =
      com.google.protobuf.Duration.getDefaultInstance();

  private Times() {}

  /** The exact duration. */
  public static com.google.protobuf.Duration exact(Duration duration) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(duration.getSeconds())
        .setNanos(duration.getNano())
        .build();
  }

  /**
   * The duration as a timeout, clamped to what Envoy supports. Envoy counts in milliseconds and
   * takes zero for no limit; a duration beyond its range of nanoseconds makes it reject everything
   * that was sent along with it.
   */
  public static com.google.protobuf.Duration limit(Duration duration) {
    if (duration.compareTo(SHORTEST) < 0) {
      return exact(SHORTEST);
    }
    return exact(duration.compareTo(LONGEST) > 0 ? LONGEST : duration);
  }

  /** Null for Envoy's default; zero for no limit. */
  public static com.google.protobuf.@Nullable Duration of(Timeout timeout) {
    return switch (timeout.kind()) {
      case DEFAULT -> null;
      case NEVER -> NEVER;
      case AFTER -> limit(timeout.duration());
    };
  }
}
