// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import java.time.Duration;

/**
 * How willing a {@link FakeEnvoy} is to answer.
 *
 * @param kind in general
 * @param delay how long it takes over each response, if it is slow
 */
public record AnswerMode(Kind kind, Duration delay) {
  /** Answers at once. */
  public static final AnswerMode PROMPT = new AnswerMode(Kind.PROMPT, Duration.ZERO);

  /** Uses what it is sent, but neither accepts nor rejects it in so many words. */
  public static final AnswerMode SILENT = new AnswerMode(Kind.SILENT, Duration.ZERO);

  /** Does not even read, like a main thread in an endless loop; goes on where it was afterwards. */
  public static final AnswerMode HANGING = new AnswerMode(Kind.HANGING, Duration.ZERO);

  /** Takes its time over every response. */
  public static AnswerMode slow(Duration delay) {
    return new AnswerMode(Kind.SLOW, delay);
  }

  /** In general. */
  public enum Kind {
    PROMPT,
    SILENT,
    SLOW,
    HANGING
  }
}
