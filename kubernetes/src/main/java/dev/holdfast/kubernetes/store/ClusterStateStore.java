// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.store;

import dev.holdfast.config.ChainedStateStore;
import dev.holdfast.config.CompactionSettings;
import dev.holdfast.config.StateStore;
import dev.holdfast.kubernetes.api.ApiServer;
import java.util.concurrent.Executor;

/** The state in ConfigMaps of the cluster, without a volume or another server. */
public final class ClusterStateStore {
  /** How many entries the history keeps: each costs the cluster's own etcd. */
  public static final int HISTORY = 5_000;

  private ClusterStateStore() {}

  /**
   * Opens the state of a name in a namespace, and takes it away from whoever has it open.
   *
   * @param background puts records together while changes go on
   */
  public static StateStore open(
      ApiServer server, String namespace, String name, Executor background) {
    return open(server, namespace, name, HISTORY, CompactionSettings.on(background));
  }

  static StateStore open(
      ApiServer server,
      String namespace,
      String name,
      int historyLimit,
      CompactionSettings compaction) {
    return ChainedStateStore.open(
        new ConfigMaps(server, namespace, name), name, historyLimit, compaction);
  }
}
