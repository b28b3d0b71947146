// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import java.time.Duration;

/**
 * How long to wait before a process that has ended is started again. A search for the change that
 * ends it costs it several lives in a few seconds and should not be slowed down. What ends it again
 * and again after that is nothing that another start would mend soon.
 */
final class RestartBackoff {
  private static final Duration SHORTEST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** What lived for longer was well. */
  private static final Duration WELL = Duration.ofSeconds(20);

  /** As many short lives as a search needs, and some more. */
  private static final int FREE = 12;

  private int shortLives;
  private Duration pause = SHORTEST;

  /**
   * The next pause.
   *
   * @param wasReady whether the process that has ended had started up
   * @param lived from its start to its end
   */
  Duration next(boolean wasReady, Duration lived) {
    if (wasReady && lived.compareTo(WELL) >= 0) {
      shortLives = 0;
      pause = SHORTEST;
      return pause;
    }
    shortLives++;
    if (wasReady && shortLives <= FREE) {
      return pause;
    }
    Duration doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    return pause;
  }
}
