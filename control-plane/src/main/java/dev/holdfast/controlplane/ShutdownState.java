// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.Holder;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.StoredState;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.log.LogArea;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The resource versions that proxies are known to hold when the server stops. They are the last
 * thing written before the end and are removed from the store first thing at the start: once
 * anything has been sent, they are no longer certain.
 */
final class ShutdownState {

  private ShutdownState() {}

  /** Writes the state. The server must not send anything afterwards. */
  static void write(SortedMap<Holder, String> held, Journal journal, TimeSource time) {
    journal.edit(
        change -> {
          held.forEach(change::putHeld);
          change.append(HistoryEntry.of(time.now(), HistoryEntry.Kind.SERVER_STOPPED));
        });
  }

  /**
   * Removes the state from the store, before anything is sent, and returns it. If the store cannot
   * be written the result is empty, and the caller has to remove the state later.
   */
  static SortedMap<Holder, String> take(StateStore store, StoredState state) {
    if (state.held().isEmpty()) {
      return state.held();
    }
    try {
      store.commit(remove(state, StateChange.builder()).build());
      return state.held();
    } catch (StateStoreException e) {
      LogArea.STATE
          .warn("read-failed")
          .log("resending resources that proxies may have already: " + e.getMessage());
      return Collections.emptySortedMap();
    }
  }

  static StateChange.Builder remove(StoredState state, StateChange.Builder change) {
    state.held().keySet().forEach(change::removeHeld);
    return change;
  }
}
