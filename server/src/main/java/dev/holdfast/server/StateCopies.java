// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.config.StateStoreException;
import dev.holdfast.server.options.PartialOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.store.sqlite.StateBackup;
import java.nio.file.Path;
import java.util.Map;

/** Backups of the state of a server that keeps it in a file. */
public final class StateCopies {
  private StateCopies() {}

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
  public static StateBackup.Summary write(Path state, Path backup, boolean mayReplace)
      throws StartException {
    try {
      return StateBackup.write(state, backup, mayReplace);
    } catch (StateStoreException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Puts a backup in the place of a state that no server uses.
   *
   * @throws StartException if that is not possible
   */
  public static StateBackup.Summary restore(Path backup, Path state) throws StartException {
    try {
      return StateBackup.restore(backup, state);
    } catch (StateStoreException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }
}
