// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.etcd;

import static dev.holdfast.config.contract.Samples.happened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.contract.DurableStoreContract;
import dev.holdfast.config.contract.GenerationsContract;
import dev.holdfast.config.contract.StateStoreContract;
import dev.holdfast.config.contract.StoreFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of a store on a real etcd, and what happens when its members come and go. */
class EtcdStoreTest implements StateStoreContract, GenerationsContract, DurableStoreContract {
  private static final AtomicInteger COUNT = new AtomicInteger();

  @TempDir private static Path shared;
  private static EtcdMember etcd;

  private final String prefix = "/test-" + COUNT.incrementAndGet();

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdMember.start(shared);
  }

  @AfterAll
  static void stopEtcd() {
    if (etcd != null) {
      etcd.close();
    }
  }

  @Override
  public StateStore open(int historyLimit) {
    return new LeadingStore(place());
  }

  @Override
  public Class<? extends StoreFactory> factory() {
    return LeadingStore.Factory.class;
  }

  @Override
  public String place() {
    return "etcd://" + etcd.address() + prefix;
  }

  @Test
  void nothingThatWasAcknowledgedIsLostWhenEtcdIsKilledAgainAndAgain() throws Exception {
    int acknowledged = 0;
    int failed = 0;
    try (StateStore store = open()) {
      for (int round = 0; round < 5; round++) {
        EtcdMember killed = etcd;
        Thread killer =
            new Thread(
                () -> {
                  killed.kill();
                  killed.up();
                });
        for (int i = 0; i < 20; i++) {
          if (i == 10) {
            killer.start();
          }
          try {
            store.commit(StateChange.builder().append(happened("it")).build());
            acknowledged++;
          } catch (StateStoreException e) {
            assertThat(e).hasMessageContaining("etcd at 127.0.0.1:" + etcd.port() + ": ");
            assertThat(e.kind()).isEqualTo(StateStoreException.Kind.FAILED);
            failed++;
          }
        }
        killer.join();
        // A lease has its whole time again after a restart.
        while (true) {
          try {
            store.commit(StateChange.builder().append(happened("it")).build());
            acknowledged++;
            break;
          } catch (StateStoreException e) {
            Thread.sleep(200);
            failed++;
          }
        }
      }
      assertThat(store.history(HistoryQuery.newest(1_000))).hasSize(acknowledged);
      System.out.printf(
          "etcd killed 5 times: %d changes acknowledged, %d failed and reported%n",
          acknowledged, failed);
    }
    try (StateStore next = open()) {
      assertThat(next.history(HistoryQuery.newest(1_000))).hasSize(acknowledged);
    }
  }

  @Test
  void aMemberThatDiesOrHangsIsReplacedByAnotherWithinTheSameWrite(@TempDir Path directory)
      throws Exception {
    List<EtcdMember> members = EtcdMember.startThree(directory);
    String place =
        "etcd://" + String.join(",", members.stream().map(EtcdMember::address).toList()) + "/three";
    try (LeadingStore store = new LeadingStore(place)) {
      store.commit(StateChange.builder().append(happened("before")).build());
      members.get(0).kill();
      awaitCommit(store, "one dead");
      for (int i = 0; i < 20; i++) {
        store.commit(StateChange.builder().append(happened("more")).build());
      }
      members.get(0).up();
      members.get(1).signal("STOP");
      awaitCommit(store, "one hangs");
      members.get(1).signal("CONT");
      awaitCommit(store, "all there");
      assertThat(store.election().leader()).isNotEmpty();
    } finally {
      members.forEach(EtcdMember::close);
    }
  }

  /** Several tries, because the member may have led the others, who first elect another leader. */
  private static void awaitCommit(StateStore store, String text) throws Exception {
    for (int i = 0; ; i++) {
      try {
        store.commit(StateChange.builder().append(happened(text)).build());
        return;
      } catch (StateStoreException e) {
        if (i == 20) {
          throw e;
        }
        Thread.sleep(500);
      }
    }
  }
}
