// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.config.StateStoreException;
import dev.holdfast.server.options.PartialOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.store.sqlite.StateBackup;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Backups of the state of a server that keeps it in a file. */
public final class StateCopies {
  /** What the file is called that a backup replaced, behind its name. */
  public static final String REPLACED = StateBackup.REPLACED;

  private StateCopies() {}

  /**
   * What is in a file.
   *
   * @param format the version of its tables
   * @param objects how many have a generation that was accepted
   * @param newest when the last entry of its history was made; null without a history
   */
  public record Summary(int format, long objects, @Nullable Instant newest) {
    private static Summary of(StateBackup.Summary summary) {
      return new Summary(summary.format(), summary.objects(), summary.newest());
    }
  }

  /**
   * The file of the state of a server with such options.
   *
   * @throws StartException if it has none, or keeps its state elsewhere
   */
  public static Path file(PartialOptions options, Map<String, String> environment)
      throws StartException {
    StateOptions state = options.complete(environment).state();
    if (state instanceof StateOptions.InFile file) {
      return file.path();
    }
    throw new StartException(
        state
            + ": the state is not in a file (expected: a backup of "
            + (state instanceof StateOptions.InEtcd ? "the etcd" : "the cluster's objects")
            + ", made with its own tools)");
  }

  /**
   * Copies a state, also while a server uses it.
   *
   * @throws StartException if that is not possible
   */
  public static Summary write(Path state, Path backup, boolean mayReplace) throws StartException {
    try {
      return Summary.of(StateBackup.write(state, backup, mayReplace));
    } catch (StateStoreException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Puts a backup in the place of a state that no server uses.
   *
   * @throws StartException if that is not possible
   */
  public static Summary restore(Path backup, Path state) throws StartException {
    try {
      return Summary.of(StateBackup.restore(backup, state));
    } catch (StateStoreException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }
}
