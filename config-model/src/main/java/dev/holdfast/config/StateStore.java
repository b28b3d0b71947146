// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.List;

/**
 * What a control plane must still know after it was killed. Synchronous: a method returns when what
 * it did is durable, and throws {@link StateStoreException} if it did nothing. Thread-safe; calls
 * are carried out one after the other.
 *
 * <p>Private keys never get in: {@link AcceptedSpec}, the only way for an object, leaves out what a
 * Secret holds. All texts are Unicode; half of a surrogate pair survives within the body of an
 * object only.
 */
public interface StateStore extends AutoCloseable {
  /** How many entries the history keeps unless it is told otherwise. */
  int DEFAULT_HISTORY = 100_000;

  /**
   * Which generation each object's body is known under. Durable by themselves: an assignment is no
   * part of any change that is committed.
   */
  Generations generations();

  /** Everything that is known, but for the history. For the start. */
  StoredState load();

  /**
   * Makes a change durable, all of it or nothing. After an exception it is as if the change had
   * never been handed over, and the store can be used as before.
   */
  void commit(StateChange change);

  /** The history, newest first. */
  List<HistoryEntry> history(HistoryQuery query);

  /** Lets the place of the state go. Calls that come later throw. May be called again. */
  @Override
  void close();

  /** A store that lives as long as the instance does. */
  static StateStore inMemory() {
    return new InMemoryStateStore(DEFAULT_HISTORY);
  }
}
