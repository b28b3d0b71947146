// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.StateStore;
import dev.holdfast.config.contract.DurableStoreContract;
import dev.holdfast.config.contract.GenerationsContract;
import dev.holdfast.config.contract.HistoryContract;
import dev.holdfast.config.contract.StateStoreContract;
import dev.holdfast.config.contract.StoreFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStateStoreTest
    implements StateStoreContract, GenerationsContract, HistoryContract, DurableStoreContract {
  @TempDir private Path directory;

  @Override
  public StateStore open(int historyLimit) {
    return SqliteStateStore.open(Path.of(place()), historyLimit);
  }

  @Override
  public Class<? extends StoreFactory> factory() {
    return Factory.class;
  }

  @Override
  public String place() {
    return directory.resolve("state.db").toString();
  }

  /** For the process that is killed. */
  public static final class Factory implements StoreFactory {
    @Override
    public StateStore open(String place) {
      return SqliteStateStore.open(Path.of(place));
    }
  }
}
