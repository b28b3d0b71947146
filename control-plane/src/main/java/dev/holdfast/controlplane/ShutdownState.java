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
import java.util.Collections;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What proxies hold for certain when the server stops. It is the last thing that is written and the
 * first that is taken out again: whatever is sent after that makes it uncertain.
 */
final class ShutdownState {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownState.class);

  private ShutdownState() {}

  /** Writes it. Nothing may be sent any more. */
  static void write(SortedMap<Holder, String> held, Journal journal, TimeSource time) {
    journal.edit(
        change -> {
          held.forEach(change::putHeld);
          change.append(HistoryEntry.of(time.now(), HistoryEntry.Kind.SERVER_STOPPED));
        });
  }

  /**
   * Takes it out of the store, before anything is sent. If that cannot be done there is nothing,
   * and it has to be removed later.
   */
  static SortedMap<Holder, String> take(StateStore store, StoredState state) {
    if (state.held().isEmpty()) {
      return state.held();
    }
    try {
      store.commit(remove(state, StateChange.builder()).build());
      return state.held();
    } catch (StateStoreException e) {
      LOG.warn("proxies are sent what they may have already: {}", e.getMessage());
      return Collections.emptySortedMap();
    }
  }

  static StateChange.Builder remove(StoredState state, StateChange.Builder change) {
    state.held().keySet().forEach(change::removeHeld);
    return change;
  }
}
