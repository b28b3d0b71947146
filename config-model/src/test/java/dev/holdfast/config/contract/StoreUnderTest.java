// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import dev.holdfast.config.StateStore;

/**
 * A store that is to be tested. A test class implements this and the contracts that the store must
 * fulfil; each contract brings its tests.
 */
public interface StoreUnderTest {
  /**
   * Opens the store at the place that this test has for itself; an empty one the first time.
   *
   * @param historyLimit how many entries the history keeps
   */
  StateStore open(int historyLimit);

  /** The same with the usual history. */
  default StateStore open() {
    return open(StateStore.DEFAULT_HISTORY);
  }
}
