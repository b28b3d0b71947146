// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import dev.holdfast.controlplane.objects.read.Timeout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations on the wire. */
public final class Times {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final com.google.protobuf.Duration NEVER =
      com.google.protobuf.Duration.getDefaultInstance();

  private Times() {}

  /** The duration as it is. */
  public static com.google.protobuf.Duration exact(Duration duration) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(duration.getSeconds())
        .setNanos(duration.getNano())
        .build();
  }

  /**
   * The duration as a limit. Envoy counts milliseconds, and none of them means no limit; what its
   * nanoseconds cannot count makes it refuse everything that came along.
   */
  public static com.google.protobuf.Duration limit(Duration duration) {
    if (duration.compareTo(SHORTEST) < 0) {
      return exact(SHORTEST);
    }
    return exact(duration.compareTo(LONGEST) > 0 ? LONGEST : duration);
  }

  /** Null where Envoy's own default holds; zero where there is no limit. */
  public static com.google.protobuf.@Nullable Duration of(Timeout timeout) {
    return switch (timeout.kind()) {
      case DEFAULT -> null;
      case NEVER -> NEVER;
      case AFTER -> limit(timeout.duration());
    };
  }
}
