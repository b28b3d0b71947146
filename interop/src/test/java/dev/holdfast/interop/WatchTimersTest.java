// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static dev.holdfast.testkit.TypeUrls.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The two resource timers in real time, all at once: 15 s, and 30 s where slowness is no verdict.
 */
@Execution(ExecutionMode.CONCURRENT)
class WatchTimersTest {
  private static final String TRANSIENT = "--server-feature=resource_timer_is_transient_error";

  /** One client and what is expected of its timer. */
  private record Case(
      WatchRun watch,
      AdsScript stream,
      Instant started,
      Instant asked,
      int seconds,
      String code,
      String state) {}

  private static Case start(
      FakeAdsServer server,
      boolean delta,
      Map<String, String> environment,
      List<String> more,
      int seconds,
      String code,
      String state)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--server", server.uri(), "cluster/x"));
    arguments.addAll(more);
    if (delta) {
      arguments.add("--delta");
    }
    Instant started = Instant.now();
    WatchRun watch = WatchRun.start(environment, arguments);
    AdsScript stream = AdsScript.next(server, delta);
    stream.awaitSubscription(CLUSTER, "x");
    return new Case(watch, stream, started, Instant.now(), seconds, code, state);
  }

  @Test
  void fireAfterFifteenOrThirtySeconds() throws Exception {
    Map<String, String> off = Map.of("GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING", "false");
    List<Case> cases = new ArrayList<>();
    try (FakeAdsServer server = FakeAdsServer.start()) {
      for (boolean delta : List.of(false, true)) {
        cases.add(start(server, delta, Map.of(), List.of(), 15, "NOT_FOUND", "does_not_exist"));
        cases.add(start(server, delta, off, List.of(TRANSIENT), 15, "NOT_FOUND", "does_not_exist"));
        cases.add(start(server, delta, Map.of(), List.of(TRANSIENT), 30, "UNAVAILABLE", "timeout"));
      }
      for (int seconds : List.of(15, 30)) {
        for (Case one : cases) {
          if (one.seconds == seconds) {
            check(one, server);
          }
        }
      }
    } finally {
      for (Case one : cases) {
        one.watch.close();
      }
    }
  }

  private static void check(Case one, FakeAdsServer server) throws IOException {
    Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(one.seconds + 30))
        .until(() -> !one.watch.lines().isEmpty());
    JsonObject told = one.watch.expect("resource_changed", one.code);
    // The client began to wait at some time between these two.
    Instant time = Instant.parse(told.get("time").getAsString());
    assertThat(time).isAfterOrEqualTo(one.started.plusSeconds(one.seconds).minusMillis(100));
    assertThat(time).isBefore(one.asked.plusSeconds(one.seconds + 10));
    assertThat(WatchRun.message(told)).contains("within " + one.seconds + " s", server.uri());
    JsonObject dumped = one.watch.dumped("cluster/x");
    assertThat(dumped.get("cache_state").getAsString()).isEqualTo(one.state);
    assertThat(dumped.getAsJsonObject("error").get("code").getAsString()).isEqualTo(one.code);
    assertThat(dumped.get("cached").getAsBoolean()).isFalse();

    one.stream.reply(new Reply(CLUSTER, "1").with("x", Resources.edsCluster("x")));
    one.watch.expect("resource_changed", "OK");
  }
}
