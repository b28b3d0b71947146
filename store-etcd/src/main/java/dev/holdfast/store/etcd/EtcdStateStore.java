// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ChainedStateStore;
import dev.holdfast.config.StateStore;

/** The state in an etcd of the user's. */
public final class EtcdStateStore {
  /** How many entries the history keeps: all of them are in memory, and in each snapshot. */
  public static final int HISTORY = 20_000;

  private static final String ROOT = "root";

  private EtcdStateStore() {}

  /**
   * Opens the state for the leader of an election. Whatever it writes is refused once it leads no
   * more.
   *
   * @throws dev.holdfast.config.StateStoreException if it cannot be opened
   */
  public static StateStore open(
      EtcdApi etcd, EtcdPlace place, EtcdElection election, TimeSource time) {
    return open(etcd, place, election.fence(), time, HISTORY);
  }

  static StateStore open(
      EtcdApi etcd, EtcdPlace place, Fence fence, TimeSource time, int historyLimit) {
    return ChainedStateStore.open(new EtcdRecords(etcd, place, fence, time), ROOT, historyLimit);
  }
}
