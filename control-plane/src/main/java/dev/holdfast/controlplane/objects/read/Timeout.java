// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A timeout as written.
 *
 * @param kind whether and how the author set it
 * @param duration positive if {@link Kind#AFTER}, else zero
 */
public record Timeout(Kind kind, Duration duration) {
  static final String INFINITY = "infinity|infinite";

  /** Envoy's default. */
  public static final Timeout DEFAULT = new Timeout(Kind.DEFAULT, Duration.ZERO);

  public static final Timeout NEVER = new Timeout(Kind.NEVER, Duration.ZERO);

  /** Whether and how a timeout is set. */
  public enum Kind {
    /** Not set. */
    DEFAULT,
    /** No limit. */
    NEVER,
    /** After the duration. */
    AFTER
  }

  /** The timeout; null if the text is neither a duration nor "infinity". */
  static @Nullable Timeout parse(String text) {
    if (text.matches(INFINITY)) {
      return NEVER;
    }
    Duration duration = GoDuration.parse(text);
    if (duration == null) {
      return null;
    }
    // Zero means the default, as in Contour.
    return duration.isZero() ? DEFAULT : new Timeout(Kind.AFTER, duration);
  }
}
