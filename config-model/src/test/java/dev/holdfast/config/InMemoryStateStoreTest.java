// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import dev.holdfast.config.contract.GenerationsContract;
import dev.holdfast.config.contract.HistoryContract;
import dev.holdfast.config.contract.StateStoreContract;

class InMemoryStateStoreTest implements StateStoreContract, GenerationsContract, HistoryContract {
  @Override
  public StateStore open(int historyLimit) {
    return new InMemoryStateStore(historyLimit);
  }
}
