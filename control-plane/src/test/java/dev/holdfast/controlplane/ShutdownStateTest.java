// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.Holder;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.StoredState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The state written at shutdown is removed from the store before it is used. */
class ShutdownStateTest {
  private static final Holder HOLDER = new Holder("envoy-1", "type/Secret");

  private final Disk disk = new Disk();

  ShutdownStateTest() {
    disk.commit(StateChange.builder().putHeld(HOLDER, "a-1").build());
  }

  @Test
  void stateIsTakenOnce() {
    assertThat(ShutdownState.take(disk, disk.load())).isEqualTo(Map.of(HOLDER, "a-1"));
    assertThat(disk.load().held()).isEmpty();
    assertThat(ShutdownState.take(disk, disk.load())).isEmpty();
  }

  @Test
  void stateThatCannotBeRemovedIsNotUsedAndIsRemovedLater() {
    StoredState state = disk.load();
    disk.full = true;
    assertThat(ShutdownState.take(disk, state)).isEmpty();

    disk.full = false;
    disk.commit(ShutdownState.remove(state, StateChange.builder()).build());
    assertThat(disk.load().held()).isEmpty();
  }

  private static final class Disk implements StateStore {
    private final StateStore store = StateStore.inMemory();
    private boolean full;

    @Override
    public Generations generations() {
      return store.generations();
    }

    @Override
    public StoredState load() {
      return store.load();
    }

    @Override
    public void commit(StateChange change) {
      if (full) {
        throw new StateStoreException(StateStoreException.Kind.FAILED, "no space left");
      }
      store.commit(change);
    }

    @Override
    public List<HistoryEntry> history(HistoryQuery query) {
      return store.history(query);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
