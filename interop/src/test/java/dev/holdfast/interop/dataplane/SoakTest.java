// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.Heap;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A control plane that errs in every way while calls go on: none fails, and nothing is left behind.
 * For a long run: {@code ./mvnw -pl interop -am test -Dtest=SoakTest -Dholdfast.soak=300
 * -Dsurefire.failIfNoSpecifiedTests=false} (seconds for each variant of the protocol).
 */
@Isolated
@Execution(ExecutionMode.SAME_THREAD)
class SoakTest {
  private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("holdfast.soak", 7));

  /** On a machine that has other things to do, it takes longer instead. */
  private static final int FEWEST_FAULTS = 4;

  private static final int MOST_CALLS_BETWEEN = 250;
  private static final int CHANNELS = 40;

  /** What one leak per fault would far exceed in a long run; a short one shows the worst. */
  private static final long MOST_GROWTH_MEGABYTES = 12;

  private static final int MOST_NEW_THREADS = 8;

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");
  private final Backend two = stage.backend("two");

  @AfterEach
  void close() {
    stage.close();
  }

  @ParameterizedTest
  @EnumSource
  void noCallFailsWhileServersLive(AdsProtocol protocol) {
    stage.serve(one, two);
    ManagedChannel channel = stage.channel(options -> options.withProtocol(protocol));
    long seed = Long.getLong("holdfast.seed", 88);
    SplittableRandom random = new SplittableRandom(seed);
    List<String> done = new ArrayList<>();
    try (Calls calls = new Calls(channel)) {
      calls.await(10);
      done.addAll(faults(random, calls, LENGTH.dividedBy(5))); // by then, all there is was used
      long megabytes = Heap.megabytes();
      long threads = liveThreads();
      done.addAll(faults(random, calls, LENGTH.multipliedBy(4).dividedBy(5)));
      assertThat(calls.failures()).as("seed %s, after %s", seed, done).isEmpty();
      assertThat(Heap.megabytes())
          .as("heap after %s faults and %s calls", done.size(), calls.count())
          .isLessThan(megabytes + MOST_GROWTH_MEGABYTES);
      assertThat(liveThreads()).isLessThanOrEqualTo(threads + MOST_NEW_THREADS);
      System.out.printf(
          "%s: %d faults, %d calls, none failed; heap %d -> %d MiB, threads %d -> %d%n",
          protocol,
          done.size(),
          calls.count(),
          megabytes,
          Heap.megabytes(),
          threads,
          liveThreads());

      // It still listens.
      heal();
      Backend last = stage.backend("last");
      stage.ads.set(Resources.endpoints("c", last.port()));
      Stage.await("calls reach the last", () -> calls.last().equals("last"));
      assertThat(calls.failures()).isEmpty();
    }
    channel.shutdownNow();
    Stage.await("no streams", () -> stage.ads.openStreams() == 0);
  }

  /** One after the other, for so long and at least so many, or until a call fails. */
  private List<String> faults(SplittableRandom random, Calls calls, Duration length) {
    List<String> done = new ArrayList<>();
    long end = System.nanoTime() + length.toNanos();
    while ((System.nanoTime() < end || done.size() < FEWEST_FAULTS) && calls.failures().isEmpty()) {
      done.add(fault(random));
      calls.await(20 + random.nextInt(MOST_CALLS_BETWEEN));
    }
    return done;
  }

  private String fault(SplittableRandom random) {
    StageType type = StageType.inOrder().get(random.nextInt(StageType.inOrder().size()));
    int kind = random.nextInt(10);
    switch (kind) {
      case 0 -> stage.ads.stop();
      case 1 -> stage.ads.restart();
      case 2 -> stage.ads.silence(true);
      case 3 -> stage.ads.refuse(Status.UNAVAILABLE.withDescription("overloaded"));
      case 4 -> stage.ads.endStreams(Status.INTERNAL);
      case 5 -> stage.ads.remove(type.url, type.resource);
      case 6 -> stage.ads.error(type.url, type.resource, 1 + random.nextInt(16), "on a whim");
      case 7 ->
          stage.ads.set(
              Resources.edsCluster("c").toBuilder().setType(Cluster.DiscoveryType.STATIC).build());
      case 8 -> stage.ads.set(Xds.routes(Xds.route("\"retry_policy\": {\"num_retries\": 0}")));
      default -> heal();
    }
    return kind + " " + type;
  }

  private void heal() {
    stage.ads.silence(false);
    stage.ads.refuse(Status.OK);
    stage.ads.restart();
    stage.serve(one, two);
  }

  @Test
  void channelsThatAreShutDownLeaveNothingBehind() throws InterruptedException {
    stage.serve(one);
    openAndClose(); // what is shared by all is made once
    long before = liveThreads();
    for (int i = 0; i < CHANNELS; i++) {
      openAndClose();
    }
    Stage.await("no streams", () -> stage.ads.openStreams() == 0);
    // Pools of the process grow and shrink; one thread per channel would be seen.
    assertThat(liveThreads()).isLessThan(before + CHANNELS / 2);
  }

  private void openAndClose() throws InterruptedException {
    ManagedChannel channel = stage.builder(options -> options).build();
    assertThat(Rpc.call(channel).isOk()).isTrue();
    assertThat(channel.shutdownNow().awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  private static long liveThreads() {
    return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).count();
  }
}
