// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.config.Election;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.contract.RecordStoreContract.Fate;
import dev.holdfast.config.contract.Samples;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** At most one server writes, and another takes over soon. */
class EtcdElectionTest {
  private static final EtcdPlace PLACE = EtcdPlace.parse("etcd://test:1/shop");

  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final FakeEtcd etcd = new FakeEtcd(time);
  private final Server a = new Server("a");
  private final Server b = new Server("b");

  /** One server and its way to etcd. */
  private final class Server implements Election.Listener, EtcdApi {
    final List<String> heard = new ArrayList<>();
    final EtcdElection election;
    boolean isCutOff;
    boolean isPaused;
    private final List<Runnable> waiting = new ArrayList<>();

    Server(String name) {
      Loop loop =
          new Loop(
              task -> {
                if (isPaused) {
                  waiting.add(task);
                } else {
                  executor.execute(task);
                }
              },
              e -> {
                throw new AssertionError(e);
              });
      election =
          new EtcdElection(
              this,
              PLACE.prefix(),
              name,
              new Env(executor, time, new SplittableRandom(1)),
              loop,
              this,
              line -> heard.add("log"));
    }

    StateStore open() {
      return EtcdStateStore.open(this, PLACE, election, time, Runnable::run);
    }

    void resume() {
      isPaused = false;
      waiting.forEach(executor::execute);
      waiting.clear();
      executor.runAll();
    }

    private <R> CompletionStage<R> through(Supplier<CompletionStage<R>> call) {
      return isCutOff
          ? CompletableFuture.failedFuture(
              new EtcdException(
                  EtcdException.Kind.NO_ANSWER, "etcd at test:1: no route to host", null))
          : call.get();
    }

    @Override
    public CompletionStage<RangeResponse> range(RangeRequest request) {
      return through(() -> etcd.range(request));
    }

    @Override
    public CompletionStage<TxnResponse> txn(TxnRequest request) {
      return through(() -> etcd.txn(request));
    }

    @Override
    public CompletionStage<LeaseGrantResponse> grant(long seconds) {
      return through(() -> etcd.grant(seconds));
    }

    @Override
    public CompletionStage<LeaseKeepAliveResponse> keepAlive(long lease) {
      return through(() -> etcd.keepAlive(lease));
    }

    @Override
    public CompletionStage<?> revoke(long lease) {
      return etcd.revoke(lease);
    }

    @Override
    public CompletionStage<?> compact(long revision) {
      return etcd.compact(revision);
    }

    @Override
    public void onLeading() {
      heard.add("leading");
    }

    @Override
    public void onLost(String leader) {
      heard.add("lost to " + leader);
    }

    @Override
    public void onStandby(String leader) {
      heard.add("standby of " + leader);
    }
  }

  private void advance(Duration by) {
    time.advance(
        by,
        () -> {
          executor.runAll();
          assertThat(a.election.mayWrite() && b.election.mayWrite()).isFalse();
        });
  }

  private void startBoth() {
    a.election.start();
    executor.runAll();
    b.election.start();
    executor.runAll();
  }

  private static StateChange change(String text) {
    return StateChange.builder().append(Samples.happened(text)).build();
  }

  @AfterEach
  void nothingIsLeft() {
    a.resume();
    a.election.close();
    b.election.close();
    executor.runAll();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void theFirstOneLeadsAndTheOtherWaits() {
    startBoth();
    advance(Duration.ofMinutes(1));
    assertThat(a.heard).containsExactly("leading");
    assertThat(b.heard).containsExactly("standby of a");
    assertThat(a.election.mayWrite()).isTrue();
    assertThat(b.election.leader()).isEqualTo("a");
    assertThat(etcd.revision).as("a leader that renews writes nothing").isLessThan(5);
  }

  @Test
  void aLeaderThatIsKilledIsReplacedWithinSevenSeconds() {
    startBoth();
    advance(Duration.ofSeconds(5));
    a.isPaused = true; // for good
    advance(Duration.ofSeconds(7));
    assertThat(b.heard).contains("leading");
  }

  @Test
  void aLeaderThatStopsIsReplacedAtOnce() {
    startBoth();
    CompletableFuture<?> closed = a.election.close().toCompletableFuture();
    executor.runAll();
    assertThat(closed).isCompleted();
    advance(Duration.ofSeconds(1));
    assertThat(b.heard).contains("leading");
  }

  @Test
  void aLeaderThatWasPausedWritesNothingWhenItWakesUpAndEnds() {
    startBoth();
    StateStore before = a.open();
    before.commit(change("one"));
    a.isPaused = true;
    advance(Duration.ofSeconds(10));
    assertThat(b.election.mayWrite()).isTrue();
    StateStore after = b.open();
    after.commit(change("two"));

    assertThat(a.election.mayWrite()).as("before it has looked").isFalse();
    long revision = etcd.revision;
    assertThatThrownBy(() -> before.commit(change("three")))
        .hasMessageContaining("another process has taken it over");
    assertThat(etcd.revision).isEqualTo(revision);
    a.resume();
    advance(Duration.ofSeconds(3));
    assertThat(a.heard).contains("lost to b");
    assertThat(a.election.mayWrite()).isFalse();
  }

  @Test
  void aLeaderThatWasPausedEndsAlsoIfItsSuccessorIsGone() {
    startBoth();
    a.isPaused = true;
    advance(Duration.ofSeconds(10));
    assertThat(b.heard).contains("leading");
    b.isPaused = true; // for good
    advance(Duration.ofSeconds(10));
    a.resume();
    advance(Duration.ofSeconds(3));
    assertThat(a.heard).containsExactly("leading", "lost to b");
    b.resume();
  }

  @Test
  void aLeaderThatWasPausedAloneLeadsAgainAndWrites() {
    a.election.start();
    executor.runAll();
    StateStore store = a.open();
    store.commit(change("one"));
    a.isPaused = true;
    advance(Duration.ofSeconds(10));
    a.resume();
    advance(Duration.ofSeconds(2));
    assertThat(a.heard).containsExactly("leading");
    assertThat(a.election.mayWrite()).isTrue();
    store.commit(change("two"));
  }

  @Test
  void aLeaderThatIsCutOffMayNotWriteBeforeAnotherOneLeads() {
    startBoth();
    a.isCutOff = true;
    advance(Duration.ofSeconds(10)); // in which never both may write
    assertThat(b.heard).contains("leading");
    assertThat(a.election.problem()).startsWith("etcd at test:1: no route to host, since ");
    a.isCutOff = false;
    advance(Duration.ofSeconds(3));
    assertThat(a.heard).contains("lost to b");
    assertThat(a.election.problem()).isEmpty();
  }

  @Test
  void anEtcdThatIsAwayForALongTimeChangesNoLeader() {
    startBoth();
    etcd.isAway = true;
    advance(Duration.ofMinutes(10));
    assertThat(a.heard).containsExactly("leading", "log");
    assertThat(a.election.mayWrite()).isFalse();

    etcd.restart();
    advance(Duration.ofSeconds(20));
    assertThat(a.heard).containsExactly("leading", "log", "log");
    assertThat(a.election.mayWrite()).isTrue();
  }

  @Test
  void aLeaseThatExpiredDuringAnOutageOfTheNetworkGoesBackToTheLeader() {
    startBoth();
    a.isCutOff = true;
    b.isCutOff = true;
    advance(Duration.ofMinutes(1));
    b.isCutOff = false; // and would be first
    advance(Duration.ofSeconds(2));
    a.isCutOff = false;
    advance(Duration.ofSeconds(20));
    assertThat(a.heard).containsExactly("leading", "log", "log");
    assertThat(a.election.mayWrite()).isTrue();
  }

  @Test
  void aTakeThatIsDoneAndNotAnsweredIsFoundOut() {
    etcd.fates.add(Fate.DONE_BUT_NOT_ANSWERED);
    startBoth();
    advance(Duration.ofSeconds(3));
    assertThat(a.heard).containsExactly("log", "log", "leading");
    assertThat(b.heard).containsExactly("standby of a");
    a.open().commit(change("one"));
  }

  @Test
  void aTakeThatArrivesLateDoesNotMakeTwoLeaders() {
    etcd.fates.add(Fate.LOST);
    startBoth();
    assertThat(b.heard).containsExactly("leading");
    etcd.arriveLate();
    advance(Duration.ofSeconds(10));
    assertThat(a.heard).doesNotContain("leading");
    assertThat(a.election.leader()).isEqualTo("b");
  }
}
