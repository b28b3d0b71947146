// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Env;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.fixture.FakeServers;
import dev.holdfast.xds.client.fixture.TestType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The clocks of one stream. */
class ResourceTimersTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final ServerConfig SERVER = ServerConfig.insecure("server.example:443");

  private final ManualTime time = new ManualTime();
  private final ManualExecutor loop = new ManualExecutor();
  private final EngineContext context =
      new EngineContext(
          XdsClientConfig.builder().servers(SERVER).build(),
          new FakeServers(),
          new Env(loop, time, RandomGenerator.getDefault()),
          XdsClientObserver.none());
  private final Authority authority =
      new Authority(
          "#old", List.of(SERVER), false, server -> new Connection(server, context), context);

  private final List<String> timedOut = new ArrayList<>();
  private boolean counts = true;
  private final ResourceTimers timers =
      new ResourceTimers(
          context,
          TIMEOUT,
          subscription -> {
            if (counts) {
              timedOut.add(subscription.entry.name);
            }
            return counts;
          });

  private Subscription<String> subscription(String name) {
    return new Subscription<>(authority.entry(TestType.RDS, name));
  }

  private void advance(Duration by) {
    time.advance(by, loop::runAll);
  }

  @AfterEach
  void nothingIsLeftOver() {
    timers.stopAll();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void namesThatLeftTogetherShareOneTask() {
    timers.start(List.of(subscription("a"), subscription("b"), subscription("c")));

    assertThat(time.pending()).containsExactly(TIMEOUT);
    advance(TIMEOUT.minusNanos(1));
    assertThat(timedOut).isEmpty();
    advance(Duration.ofNanos(1));
    assertThat(timedOut).containsExactly("a", "b", "c");
  }

  @Test
  void nothingToWaitForIsNoTask() {
    Subscription<String> answered = subscription("answered");
    answered.answered = true;
    Subscription<String> cached = subscription("cached");
    cached.entry.received(new Cached<>("one", ByteString.EMPTY, "1", time.now()), SERVER);

    timers.start(List.of(answered, cached));
    timers.start(List.of());

    assertThat(time.pending()).isEmpty();
  }

  @Test
  void anAnswerStopsItsOwnClockOnly() {
    Subscription<String> a = subscription("a");
    timers.start(List.of(a, subscription("b")));
    timers.stop(a);

    advance(TIMEOUT);

    assertThat(timedOut).containsExactly("b");
  }

  @Test
  void theLastAnswerEndsTheTask() {
    Subscription<String> a = subscription("a");
    Subscription<String> b = subscription("b");
    timers.start(List.of(a, b));
    timers.stop(a);
    timers.stop(a); // twice is once
    assertThat(time.pending()).hasSize(1);
    timers.stop(b);

    assertThat(time.pending()).isEmpty();
  }

  @Test
  void anAnswerBeforeTheStartMeansNoClock() {
    Subscription<String> a = subscription("a");
    timers.stop(a);
    timers.start(List.of(a));

    assertThat(time.pending()).isEmpty();
  }

  @Test
  void aRunningClockIsNotStartedAgain() {
    Subscription<String> a = subscription("a");
    timers.start(List.of(a));
    advance(Duration.ofSeconds(10));
    timers.start(List.of(a));
    advance(Duration.ofSeconds(5));

    assertThat(timedOut).containsExactly("a");
    timers.start(List.of(a)); // nor is one that ran out
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void aTaskThatWasOnItsWayWhenTheAnswerCameDoesNothing() {
    Subscription<String> a = subscription("a");
    Subscription<String> b = subscription("b");
    timers.start(List.of(a));
    timers.start(List.of(b));
    time.advance(TIMEOUT); // both are on their way to the loop
    timers.stop(a);
    timers.stopAll();
    loop.runAll();

    assertThat(timedOut).isEmpty();
  }

  @Test
  void whatRanOutUnheededIsTimedOnceMore() {
    Subscription<String> a = subscription("a");
    Subscription<String> b = subscription("b");
    timers.start(List.of(a, b));
    counts = false;
    advance(TIMEOUT);
    assertThat(time.pending()).isEmpty();

    counts = true;
    timers.stop(b); // answered in the meantime
    timers.resume();
    advance(TIMEOUT);

    assertThat(timedOut).containsExactly("a");
    timers.resume();
    assertThat(time.pending()).isEmpty();
  }
}
