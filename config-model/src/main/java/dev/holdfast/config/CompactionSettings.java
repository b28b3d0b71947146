// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Executor;

/**
 * When a {@link ChainedStateStore} puts everything into one record, and on which thread.
 *
 * @param records after so many
 * @param executor does it; with a thread of its own, no change waits until it is done
 */
public record CompactionSettings(int records, Executor executor) {
  private static final int RECORDS = 300;

  public CompactionSettings {
    requireNonNull(executor, "executor");
    if (records < 2) {
      throw new IllegalArgumentException("records: " + records + " (expected: at least 2)");
    }
  }

  /** As usual, by this executor. */
  public static CompactionSettings on(Executor executor) {
    return new CompactionSettings(RECORDS, executor);
  }

  /** As usual, by whoever makes the change that is one too many. */
  public static CompactionSettings inline() {
    return on(Runnable::run);
  }
}
