// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.time.Duration;

/**
 * How long to wait.
 *
 * @param kind whether the author said so
 * @param duration positive if {@link Kind#AFTER}, else zero
 */
public record Timeout(Kind kind, Duration duration) {
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

  /** Nothing at all means the default, as it does for Contour. */
  static Timeout after(Duration duration) {
    return duration.isZero() ? DEFAULT : new Timeout(Kind.AFTER, duration);
  }
}
