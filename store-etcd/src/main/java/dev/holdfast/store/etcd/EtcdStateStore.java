// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ChainedStateStore;
import dev.holdfast.config.CompactionSettings;
import dev.holdfast.config.StateStore;
import java.util.concurrent.Executor;

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
   * @param background puts records together while changes go on
   * @throws dev.holdfast.config.StateStoreException if it cannot be opened
   */
  public static StateStore open(
      EtcdApi etcd, EtcdPlace place, EtcdElection election, TimeSource time, Executor background) {
    return open(etcd, place, election.fence(), time, HISTORY, CompactionSettings.on(background));
  }

  static StateStore open(
      EtcdApi etcd,
      EtcdPlace place,
      Fence fence,
      TimeSource time,
      int historyLimit,
      CompactionSettings compaction) {
    return ChainedStateStore.open(
        new EtcdRecords(etcd, place, fence, time), ROOT, historyLimit, compaction);
  }
}
