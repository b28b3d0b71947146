// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.SystemTime;
import dev.holdfast.config.Election;
import dev.holdfast.config.StateStore;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.leader.LeaderElection;
import dev.holdfast.kubernetes.store.ClusterStateStore;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.store.etcd.EtcdElection;
import dev.holdfast.store.etcd.EtcdException;
import dev.holdfast.store.etcd.EtcdStateStore;
import dev.holdfast.store.etcd.GrpcEtcd;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A state that several servers have in common.
 *
 * @param election decides which of them leads
 * @param store opens the state, for the one that leads
 * @param close ends what both need
 */
record SharedState(Election election, Supplier<StateStore> store, Runnable close) {
  /**
   * @param options with a state that is not in a file
   * @param identity of this server, unique among all
   * @param log is told what an operator should know
   */
  static SharedState of(
      ServeOptions options,
      String identity,
      Env env,
      Loop loop,
      Election.Listener listener,
      Consumer<String> log)
      throws StartException {
    if (options.state() instanceof StateOptions.InEtcd state) {
      return inEtcd(state, identity, env, loop, listener, log);
    }
    StateOptions.InCluster state = (StateOptions.InCluster) options.state();
    ApiServer server = ClusterAccessOptions.apiServer(options.source());
    return new SharedState(
        new LeaderElection(
            server, state.namespace(), state.name(), identity, env, loop, listener, log),
        () ->
            ClusterStateStore.open(
                server, state.namespace(), state.name(), SharedState::inBackground),
        () -> {});
  }

  private static SharedState inEtcd(
      StateOptions.InEtcd state,
      String identity,
      Env env,
      Loop loop,
      Election.Listener listener,
      Consumer<String> log)
      throws StartException {
    GrpcEtcd etcd;
    try {
      etcd = GrpcEtcd.open(state.place(), state.credentials());
    } catch (IllegalArgumentException e) {
      throw new StartException("state: " + e.getMessage(), e);
    }
    EtcdElection election =
        new EtcdElection(etcd, state.place().prefix(), identity, env, loop, listener, log);
    try {
      election.check();
    } catch (EtcdException e) {
      etcd.close();
      throw new StartException("state in " + state + ": " + e.getMessage(), e);
    }
    return new SharedState(
        election,
        () ->
            EtcdStateStore.open(
                etcd, state.place(), election, SystemTime.instance(), SharedState::inBackground),
        etcd::close);
  }

  /** Now and then: a thread that waited for it would be idle. */
  private static void inBackground(Runnable task) {
    Thread thread = new Thread(task, "holdfast-compaction");
    thread.setDaemon(true);
    thread.start();
  }
}
