// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait.
 *
 * @param kind whether the author said so
 * @param duration positive if {@link Kind#AFTER}, else zero
 */
public record Timeout(Kind kind, Duration duration) {
  static final String INFINITY = "infinity|infinite";

  /** What Envoy does if not told otherwise. */
  public static final Timeout DEFAULT = new Timeout(Kind.DEFAULT, Duration.ZERO);

  public static final Timeout NEVER = new Timeout(Kind.NEVER, Duration.ZERO);

  /** Whether there is an end to the waiting. */
  public enum Kind {
    /** Not said. */
    DEFAULT,
    /** No limit. */
    NEVER,
    /** After the duration. */
    AFTER
  }

  /** Null if the text is neither a duration nor without end. */
  static @Nullable Timeout parse(String text) {
    if (text.matches(INFINITY)) {
      return NEVER;
    }
    Duration duration = GoDuration.parse(text);
    if (duration == null) {
      return null;
    }
    // Nothing at all means the default, as it does for Contour.
    return duration.isZero() ? DEFAULT : new Timeout(Kind.AFTER, duration);
  }
}
