// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.StateStore;
import dev.holdfast.config.contract.GenerationsContract;
import dev.holdfast.config.contract.HistoryContract;
import dev.holdfast.config.contract.StateStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStateStoreTest implements StateStoreContract, GenerationsContract, HistoryContract {
  @TempDir private Path directory;

  @Override
  public StateStore open(int historyLimit) {
    return SqliteStateStore.open(directory.resolve("state.db"), historyLimit);
  }
}
