// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.config.Election;
import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** At most one replica writes, and another takes over soon. */
class LeaderElectionTest {
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final OneLease lease = new OneLease();
  private final Replica a = new Replica("a");
  private final Replica b = new Replica("b");

  /** A Lease with compare-and-swap. */
  private static final class OneLease {
    private @Nullable String content;
    private long version;

    ApiResponse answer(ApiRequest request) {
      String stored = content;
      if (request.method().equals("GET")) {
        return stored == null ? new ApiResponse(404, "{}") : new ApiResponse(200, stored);
      }
      boolean isCreate = request.method().equals("POST");
      boolean isStale =
          !isCreate && !request.body().contains("\"resourceVersion\":\"" + version + "\"");
      if (isCreate ? stored != null : isStale) {
        return new ApiResponse(409, "{}");
      }
      version++;
      String next =
          request
              .body()
              .replaceAll("\"resourceVersion\":\"[0-9]*\"", "")
              .replaceAll(",}", "}")
              .replaceFirst(
                  "\"metadata\":\\{", "\"metadata\":{\"resourceVersion\":\"" + version + "\",");
      content = next;
      return new ApiResponse(200, next);
    }
  }

  /** One replica and its way to the API server. */
  private final class Replica implements Election.Listener, ApiServer {
    final List<String> heard = new ArrayList<>();
    final LeaderElection election;
    boolean isCutOff;
    boolean isPaused;
    private final List<Runnable> waiting = new ArrayList<>();

    Replica(String name) {
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
          new LeaderElection(
              this,
              "holdfast",
              "leader",
              name,
              new Env(executor, time, new SplittableRandom(1)),
              loop,
              this,
              line -> heard.add("log"));
    }

    void resume() {
      isPaused = false;
      waiting.forEach(executor::execute);
      waiting.clear();
    }

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
      return isCutOff
          ? CompletableFuture.failedFuture(new IOException("no route"))
          : CompletableFuture.completedFuture(lease.answer(request));
    }

    @Override
    public Watch watch(String path, WatchListener listener) {
      throw new UnsupportedOperationException("an election does not watch");
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
  }

  @Test
  void aLeaderThatIsKilledIsReplacedWithinEightSeconds() {
    startBoth();
    advance(Duration.ofSeconds(5));
    a.isPaused = true; // for good
    advance(Duration.ofSeconds(8));
    assertThat(b.heard).contains("leading");
  }

  @Test
  void aLeaderThatStopsIsReplacedAtOnce() {
    startBoth();
    a.election.close();
    executor.runAll();
    advance(Duration.ofSeconds(1));
    assertThat(b.heard).contains("leading");
  }

  @Test
  void aLeaderThatWasPausedMayNotWriteWhenItWakesUpAndEnds() {
    startBoth();
    a.isPaused = true;
    advance(Duration.ofSeconds(10));
    assertThat(b.election.mayWrite()).isTrue();

    assertThat(a.election.mayWrite()).as("before it has looked").isFalse();
    a.resume();
    advance(Duration.ofSeconds(3));
    assertThat(a.heard).contains("lost to b");
    assertThat(a.election.mayWrite()).isFalse();
  }

  @Test
  void aLeaderThatIsCutOffMayNotWriteBeforeAnotherOneLeads() {
    startBoth();
    a.isCutOff = true;
    advance(Duration.ofSeconds(10)); // in which never both may write
    assertThat(b.heard).contains("leading");
    a.isCutOff = false;
    advance(Duration.ofSeconds(3));
    assertThat(a.heard).contains("lost to b");
  }

  @Test
  void anApiServerThatIsAwayForALongTimeChangesNoLeader() {
    startBoth();
    a.isCutOff = true;
    b.isCutOff = true;
    advance(Duration.ofMinutes(10));
    assertThat(a.heard).containsExactly("leading", "log");
    assertThat(a.election.mayWrite()).isFalse();

    a.isCutOff = false;
    b.isCutOff = false;
    advance(Duration.ofSeconds(20));
    assertThat(a.heard).containsExactly("leading", "log", "log");
    assertThat(a.election.mayWrite()).isTrue();
  }
}
