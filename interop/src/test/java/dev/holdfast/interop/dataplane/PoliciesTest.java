// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.testkit.Resources;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Which of a cluster's servers a call goes to. */
@Execution(ExecutionMode.CONCURRENT)
class PoliciesTest {
  private static final int USERS = 60;

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");
  private final Backend two = stage.backend("two");
  private final Backend three = stage.backend("three");

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void roundRobinTakesTurns() {
    stage.serve(one, two, three);
    ManagedChannel channel = stage.channel();
    List.of(one, two, three).forEach(backend -> Stage.awaitBackend(channel, backend));
    assertThat(Rpc.share(channel, 30)).isEqualTo(Map.of("one", 10, "two", 10, "three", 10));
  }

  /** Which server each user's calls go to. */
  private static Map<String, String> byUser(ManagedChannel channel) {
    Map<String, String> byUser = new HashMap<>();
    for (int user = 0; user < USERS; user++) {
      Metadata headers = Rpc.headers("x-user", "user-" + user);
      byUser.put("user-" + user, Rpc.call(channel, Rpc.METHOD, headers).backend());
    }
    return byUser;
  }

  @Test
  void ringHashKeepsUsersWithTheirServerAndMovesOnlyThoseWhoseServerDied() {
    stage.serve(one, two, three);
    stage.ads.set(
        Xds.cluster("c", "\"lb_policy\": \"RING_HASH\""),
        Xds.routes(Xds.route("\"hash_policy\": [{\"header\": {\"header_name\": \"x-user\"}}]")));
    ManagedChannel channel = stage.channel();
    Map<String, String> before = byUser(channel);
    assertThat(before.values()).contains("one", "two", "three");
    assertThat(byUser(channel)).isEqualTo(before);

    two.stop();
    Stage.await("all to be answered", () -> !byUser(channel).containsValue(""));
    Map<String, String> without = byUser(channel);
    before.forEach(
        (user, backend) -> {
          if (backend.equals("two")) {
            assertThat(without.get(user)).isIn("one", "three");
          } else {
            assertThat(without.get(user)).isEqualTo(backend);
          }
        });

    two.restart();
    Stage.await("all to return", () -> byUser(channel).equals(before));
  }

  @Test
  void leastRequestAvoidsWhoIsBusy() throws Exception {
    stage.serve(one, two);
    stage.ads.set(
        Xds.cluster(
            "c",
            "\"lb_policy\": \"LEAST_REQUEST\", \"least_request_lb_config\": {\"choice_count\": 10}"));
    ManagedChannel channel = stage.channel();
    Stage.awaitBackend(channel, two);
    Stage.awaitBackend(channel, one);
    one.hold();
    List<ListenableFuture<String>> held = new ArrayList<>();
    int before = one.calls();
    Stage.await(
        "a call that is held",
        () -> {
          held.add(Rpc.begin(channel));
          return one.calls() > before;
        });
    int answered = 0;
    for (int i = 0; i < 30; i++) {
      CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(3, TimeUnit.SECONDS);
      if (Rpc.call(channel, Rpc.METHOD, new Metadata(), soon).backend().equals("two")) {
        answered++;
      }
    }
    one.release();
    for (ListenableFuture<String> call : held) {
      assertThat(call.get()).isIn("one", "two");
    }
    // Ten draws that all hit the busy one have a chance of 1 in 1024.
    assertThat(answered).isGreaterThanOrEqualTo(28);
  }

  @Test
  void pickFirstStaysWithOne() {
    stage.serve(one, two);
    stage.ads.set(
        Xds.cluster(
            "c",
            """
            "load_balancing_policy": {"policies": [{"typed_extension_config": {
              "name": "pick_first", "typed_config": {"@type":
              "type.googleapis.com/envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst"
              }}}]}
            """));
    ManagedChannel channel = stage.channel();
    assertThat(Rpc.share(channel, 20)).isEqualTo(Map.of("one", 20));
    one.stop();
    Stage.awaitBackend(channel, two);
  }

  @Test
  void outlierDetectionSendsCallsElsewhereForAWhile() {
    stage.serve(one, two, three);
    stage.ads.set(
        Xds.cluster(
            "c",
            """
            "outlier_detection": {"interval": "1s", "base_ejection_time": "10s",
              "max_ejection_time": "10s", "max_ejection_percent": 50,
              "enforcing_success_rate": 0,
              "failure_percentage_threshold": 50, "enforcing_failure_percentage": 100,
              "failure_percentage_minimum_hosts": 3, "failure_percentage_request_volume": 3}
            """));
    ManagedChannel channel = stage.channel();
    List.of(one, two, three).forEach(backend -> Stage.awaitBackend(channel, backend));
    two.failAlways(Status.UNAVAILABLE.withDescription("sick"));
    assertThat(Rpc.share(channel, 30)).containsKey("failed");
    Stage.await("no failures", () -> !Rpc.share(channel, 12).containsKey("failed"));
    int calls = two.calls();
    assertThat(Rpc.share(channel, 30)).containsOnlyKeys("one", "three");
    assertThat(two.calls()).isEqualTo(calls);
    Stage.await(
        "it to be tried again",
        () -> {
          Rpc.call(channel);
          return two.calls() > calls;
        });
  }

  @Test
  void newEndpointsTakeOverWithoutAFailedCall() {
    stage.serve(one);
    ManagedChannel channel = stage.channel();
    try (Calls calls = new Calls(channel)) {
      Stage.await("calls reach one", () -> calls.last().equals("one"));
      for (int i = 0; i < 10; i++) {
        Backend next = i % 2 == 0 ? two : one;
        stage.ads.set(Resources.endpoints("c", next.port()));
        Stage.await("calls reach " + next.name(), () -> calls.last().equals(next.name()));
      }
      assertThat(calls.failures()).isEmpty();
    }
  }
}
