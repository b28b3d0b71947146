// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.etcd;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.SystemTime;
import dev.holdfast.config.Election;
import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StoredState;
import dev.holdfast.config.contract.StoreFactory;
import dev.holdfast.store.etcd.EtcdCredentials;
import dev.holdfast.store.etcd.EtcdElection;
import dev.holdfast.store.etcd.EtcdPlace;
import dev.holdfast.store.etcd.EtcdStateStore;
import dev.holdfast.store.etcd.GrpcEtcd;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** A store in a real etcd, of one who has waited until it leads. */
final class LeadingStore implements StateStore {
  private final GrpcEtcd etcd;
  private final EtcdElection election;
  private final StateStore store;

  /** Opens one in another process. */
  public static final class Factory implements StoreFactory {
    @Override
    public StateStore open(String place) {
      return new LeadingStore(place);
    }
  }

  LeadingStore(String place) {
    EtcdPlace where = EtcdPlace.parse(place);
    etcd = GrpcEtcd.open(where, EtcdCredentials.none());
    CountDownLatch leading = new CountDownLatch(1);
    Env env = new Env(ForkJoinPool.commonPool(), SystemTime.instance(), new SplittableRandom());
    election =
        new EtcdElection(
            etcd,
            where.prefix(),
            UUID.randomUUID().toString(),
            env,
            new Loop(env.executor(), Throwable::printStackTrace),
            new Election.Listener() {
              @Override
              public void onLeading() {
                leading.countDown();
              }

              @Override
              public void onLost(String leader) {}

              @Override
              public void onStandby(String leader) {}
            },
            line -> {});
    election.start();
    try {
      if (!leading.await(1, TimeUnit.MINUTES)) {
        throw new AssertionError("never led: " + election.leader() + " " + election.problem());
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    store = EtcdStateStore.open(etcd, where, election, SystemTime.instance(), Runnable::run);
  }

  EtcdElection election() {
    return election;
  }

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
    store.commit(change);
  }

  @Override
  public List<HistoryEntry> history(HistoryQuery query) {
    return store.history(query);
  }

  @Override
  public void close() {
    store.close();
    election.close().toCompletableFuture().join();
    etcd.close();
  }
}
