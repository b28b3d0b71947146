// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.store.sqlite.SqliteStateStore;
import java.util.function.Supplier;

/** Opens states. */
final class StateFiles {
  private StateFiles() {}

  /**
   * Opens the file of the options, whose directory is there.
   *
   * @throws StartException if it cannot be used, or if the options name another place
   */
  static StateStore open(ServeOptions options) throws StartException {
    if (!(options.state() instanceof StateOptions.InFile file)) {
      throw new StartException("state: " + options.state() + " (expected: a file)");
    }
    return opened(() -> SqliteStateStore.open(file.path()));
  }

  /**
   * @throws StartException if the store cannot be opened
   */
  static StateStore opened(Supplier<StateStore> store) throws StartException {
    try {
      return store.get();
    } catch (StateStoreException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }
}
