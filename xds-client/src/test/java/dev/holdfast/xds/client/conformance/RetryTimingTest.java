// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.BackoffPolicy;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When the next stream is started after one has ended. */
class RetryTimingTest {
  private static final Status GONE = Status.UNAVAILABLE.withDescription("gone");

  @Test
  void failuresAreRetriedEverLaterUpToTwoMinutes() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      double delay = 1;
      for (int i = 0; i < 15; i++) {
        h.closeStream(GONE);
        nextStreamAfter(h, delay);
        delay = Math.min(delay * 1.6, 120);
      }
      assertThat(delay).isEqualTo(120);
    }
  }

  @Test
  @DisplayName("H65 the delay counts from the end of the stream that failed")
  void h65TheDelayCountsFromTheEndOfTheAttemptThatFailed() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.advanceSeconds(0.97);
      h.closeStream(GONE);
      nextStreamAfter(h, 1);

      h.advanceSeconds(10);
      h.closeStream(GONE);
      nextStreamAfter(h, 1.6);
    }
  }

  @Test
  @DisplayName("H65 the first delay is a second with its jitter, however a stream fails")
  void h65TheFirstDelayHoweverAStreamFails() {
    for (int seed = 0; seed < 50; seed++) {
      for (Status status : new Status[] {GONE, Status.OK, Status.PERMISSION_DENIED}) {
        for (boolean dispatched : new boolean[] {true, false}) {
          for (double age : new double[] {0, 0.3, 0.97}) {
            XdsClientConfig config =
                ClientHarness.config(AdsProtocol.SOTW).behaviour(Behaviour.defaults()).build();
            try (ClientHarness h = new ClientHarness(config, new Random(seed))) {
              h.servers.autoSend(dispatched);
              h.watch(LDS, "foo");
              h.advanceSeconds(age);
              h.closeStream(status);
              h.advanceSeconds(0.799);
              assertThat(h.transport().streams()).hasSize(1);
              h.advanceSeconds(0.402);
              assertThat(h.transport().streams()).hasSize(2);
            }
          }
        }
      }
    }
  }

  @Test
  @DisplayName("H65 a connection at last shortens the wait once, not each time")
  void h65AConnectionShortensTheWaitOnce() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.autoSend(false);
      h.watch(LDS, "foo");
      h.closeStream(GONE);

      h.transport().connected(); // at once
      h.settle();
      assertThat(h.transport().streams()).hasSize(2);

      h.closeStream(GONE); // a server that takes connections and drops them
      h.transport().connected();
      h.settle();
      assertThat(h.transport().streams()).hasSize(2);
      nextStreamAfter(h, 1.6);
    }
  }

  @Test
  @DisplayName("H65 a silent stream that lived long has worked: the series starts anew")
  void h65ASilentStreamThatLivedLongHasWorked() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      for (int i = 0; i < 5; i++) {
        h.advanceSeconds(600);
        h.closeStream(GONE);
        nextStreamAfter(h, 1);
      }
    }
  }

  @Test
  void aResponseStartsTheSeriesAnew() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.closeStream(GONE);
      nextStreamAfter(h, 1);
      h.closeStream(GONE);
      nextStreamAfter(h, 1.6);

      h.respond(response(LDS).resource("foo", "one"));
      h.advanceSeconds(100);
      h.closeStream(GONE);
      assertThat(h.transport().hasOpenStream()).isTrue();
      h.closeStream(GONE);
      nextStreamAfter(h, 1);
    }
  }

  @Test
  void thePolicyCanBeSet() {
    Behaviour behaviour =
        Behaviour.defaults()
            .withBackoff(new BackoffPolicy(Duration.ofMillis(10), 3, Duration.ofMillis(50), 0));
    try (ClientHarness h =
        new ClientHarness(ClientHarness.config(AdsProtocol.SOTW).behaviour(behaviour).build())) {
      h.watch(LDS, "foo");
      for (double delay : new double[] {0.010, 0.030, 0.050, 0.050}) {
        h.closeStream(GONE);
        nextStreamAfter(h, delay);
      }
    }
  }

  @Test
  void aStreamThatLivedLongIsReplacedAtOnce() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      for (int i = 0; i < 5; i++) {
        h.respond(response(LDS).resource("foo", "one"));
        h.advanceSeconds(15);
        int streams = h.transport().streams().size();
        h.closeStream(GONE);
        assertThat(h.transport().streams()).hasSize(streams + 1);
      }
      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
    }
  }

  @Test
  void streamsThatDieYoungAreBackedOffThoughTheyCarriedAResponse() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      double delay = 1;
      for (int i = 0; i < 15; i++) {
        h.respond(response(LDS).resource("foo", "one"));
        h.closeStream(GONE);
        nextStreamAfter(h, delay);
        delay = Math.min(delay * 1.6, 120);
      }
      // It is no error all the same.
      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      assertThat(h.observer.connected(SERVER)).isTrue();
      assertThat(h.observer.failures(SERVER)).isZero();
    }
  }

  @Test
  @DisplayName("H65 so does the backoff of streams that died young after a response")
  void h65TheBackoffOfYoungDeathsCountsFromTheirEnd() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      h.advanceSeconds(0.4);
      h.closeStream(GONE);
      nextStreamAfter(h, 1);
    }
  }

  @Test
  void aLongLifeForgivesEarlierYoungDeaths() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      for (double delay : new double[] {1, 1.6, 2.56}) {
        h.respond(response(LDS).resource("foo", "one"));
        h.closeStream(GONE);
        nextStreamAfter(h, delay);
      }
      h.respond(response(LDS).resource("foo", "one"));
      h.advanceSeconds(15);
      h.closeStream(GONE);

      h.respond(response(LDS).resource("foo", "one"));
      h.closeStream(GONE);
      nextStreamAfter(h, 1);
    }
  }

  @Test
  void resetBackoffRetriesNowAndStartsTheSeriesAnew() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      for (double delay : new double[] {1, 1.6, 2.56}) {
        h.closeStream(GONE);
        nextStreamAfter(h, delay);
      }
      h.closeStream(GONE);
      int streams = h.transport().streams().size();

      h.client.resetBackoff();
      h.settle();

      assertThat(h.transport().streams()).hasSize(streams + 1);
      assertThat(h.transport().backoffResets()).isEqualTo(1);
      h.closeStream(GONE);
      nextStreamAfter(h, 1);
    }
  }

  @Test
  void resetBackoffLeavesAStreamThatIsUpAlone() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));

      h.client.resetBackoff();
      h.settle();

      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.transport().hasOpenStream()).isTrue();
    }
  }

  @Test
  void resetBackoffTriesAConnectionThatCouldNotBeMade() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.unusable(SERVER, new IllegalStateException("no certificate"));
      h.watch(LDS, "foo");
      h.servers.unusable(SERVER, null);

      h.client.resetBackoff();
      h.settle();

      assertThat(h.transport().hasOpenStream()).isTrue();
    }
  }

  private static void nextStreamAfter(ClientHarness h, double seconds) {
    int streams = h.transport().streams().size();
    h.advanceSeconds(seconds - 0.001);
    assertThat(h.transport().streams()).hasSize(streams);
    h.advanceSeconds(0.001001);
    assertThat(h.transport().streams()).hasSize(streams + 1);
  }
}
