// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.interop.serve.foreign.ForeignClient;
import dev.holdfast.testkit.FakeLoadService;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.LoadTotals;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holdfast's channel and the clients of other languages (C-core by way of Python, Go, Node), on one
 * control plane and with the same servers.
 */
class OtherLanguagesTest {
  private static final String ALL = ", \"percentage\": {\"numerator\": 100}}";
  private static final String BY_USER =
      Xds.route("\"hash_policy\": [{\"header\": {\"header_name\": \"x-user\"}}]");

  /** What some of them have, but only if they are told so: Node the first, C-core the second. */
  private static final Map<String, String> SWITCHES =
      Map.of(
          "GRPC_EXPERIMENTAL_XDS_WRR_LB",
          "true",
          "GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT",
          "false");

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");
  private final Backend two = stage.backend("two");
  private final Backend three = stage.backend("three");

  @TempDir Path directory;

  @AfterEach
  void close() {
    stage.close();
  }

  private ForeignClient start(String language) {
    return ForeignClient.start(language, "svc", stage.bootstrapFile(), directory, SWITCHES);
  }

  private static String call(ForeignClient client, String... headers) {
    return client.call(String.join(" ", "/" + Rpc.METHOD, String.join(" ", headers)));
  }

  /** Languages spell codes in different ways. */
  private static String code(String answer) {
    return answer.split(" ", 2)[0].replace("_", "").toUpperCase(Locale.ROOT);
  }

  private static String code(Status.Code code) {
    return code.name().replace("_", "");
  }

  @ParameterizedTest
  @CsvSource({
    "python, '\"grpc_status\": 10'",
    "python, '\"http_status\": 404'",
    "python, '\"http_status\": 503'",
    "go, '\"grpc_status\": 10'",
    "go, '\"http_status\": 404'",
    "go, '\"http_status\": 503'",
    "node, '\"grpc_status\": 10'",
    "node, '\"http_status\": 404'",
    "node, '\"http_status\": 503'"
  })
  void faultsHaveTheSameStatus(String language, String status) {
    stage.serve(one);
    stage.ads.set(Xds.listener(Xds.fault("\"abort\": {" + status + ALL)));
    Status.Code ours = Rpc.call(stage.channel()).code();
    try (ForeignClient client = start(language)) {
      assertThat(code(call(client))).isEqualTo(code(ours));
    }
    assertThat(one.calls()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "go", "node"})
  void callsAskForFaultsWithTheSameHeaders(String language) {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(
            Xds.fault(
                "\"abort\": {\"header_abort\": {}"
                    + ALL
                    + ", \"delay\": {\"header_delay\": {}"
                    + ALL)));
    ManagedChannel ours = stage.channel();
    try (ForeignClient client = start(language)) {
      assertThat(Rpc.call(ours).isOk()).isTrue();
      assertThat(call(client)).isEqualTo("OK one");

      Rpc.Outcome aborted =
          Rpc.call(ours, Rpc.METHOD, Rpc.headers("x-envoy-fault-abort-grpc-request", "3"));
      assertThat(aborted.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(code(call(client, "x-envoy-fault-abort-grpc-request=3")))
          .isEqualTo(code(aborted.code()));

      long before = System.nanoTime();
      assertThat(call(client, "x-envoy-fault-delay-request=300")).isEqualTo("OK one");
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(300_000_000L);
      before = System.nanoTime();
      Rpc.call(ours, Rpc.METHOD, Rpc.headers("x-envoy-fault-delay-request", "300"));
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(300_000_000L);
    }
  }

  /** Node goes by the utilization of the application alone, the others also by that of the CPU. */
  @ParameterizedTest
  @CsvSource({
    "python, application_utilization",
    "go, application_utilization",
    "node, application_utilization",
    "python, cpu_utilization",
    "go, cpu_utilization"
  })
  void serversThatReportTheirLoadGetTheSameShares(String language, String metric) {
    stage.serve(one, two);
    stage.ads.set(Xds.weightedByLoad("c", false));
    one.reports(load(metric, 0.2));
    two.reports(load(metric, 0.8));
    ManagedChannel ours = stage.channel();
    Stage.await("400 of 500 calls at one", () -> near(Rpc.share(ours, 500).get("one"), 400));
    try (ForeignClient client = start(language)) {
      Stage.await("400 of 500 calls at one", () -> near(share(client, 500).get("one"), 400));
    }
  }

  private static OrcaLoadReport load(String metric, double value) {
    return OrcaLoadReport.newBuilder()
        .setRpsFractional(100)
        .setField(OrcaLoadReport.getDescriptor().findFieldByName(metric), value)
        .build();
  }

  private static boolean near(@Nullable Integer calls, int expected) {
    return calls != null && Math.abs(calls - expected) <= 5;
  }

  private static Map<String, Integer> share(ForeignClient client, int times) {
    Map<String, Integer> share = new TreeMap<>();
    for (int i = 0; i < times; i++) {
      String answer = call(client);
      share.merge(
          answer.startsWith("OK ") ? answer.substring("OK ".length()) : "failed", 1, Integer::sum);
    }
    return share;
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "go", "node"})
  void sameKeysAreAtTheSameServers(String language) {
    stage.serve(one, two, three);
    stage.ads.set(Xds.cluster("c", "\"lb_policy\": \"RING_HASH\""), Xds.routes(BY_USER));
    Map<String, String> ours = byUser(stage.channel());
    assertThat(ours.values()).contains("one", "two", "three").doesNotContain("");
    try (ForeignClient client = start(language)) {
      assertThat(byUser(client)).isEqualTo(ours);
    }
  }

  /** C-core and Go go by the hash keys of servers (gRFC A76); Node ignores them. */
  @ParameterizedTest
  @CsvSource({"python, true", "go, true", "node, false"})
  void hashKeysOfServersMoveTheSameKeys(String language, boolean supported) {
    ClusterLoadAssignment plain = Resources.endpoints("c", one.port(), two.port(), three.port());
    stage.serve();
    stage.ads.set(Xds.cluster("c", "\"lb_policy\": \"RING_HASH\""), Xds.routes(BY_USER), plain);
    Map<String, String> withoutKeys = byUser(stage.channel());
    stage.ads.set(Xds.withHashKeys(plain, "pod-0", "pod-1", "pod-2"));
    Map<String, String> ours = byUser(stage.channel());
    assertThat(ours).isNotEqualTo(withoutKeys);
    try (ForeignClient client = start(language)) {
      assertThat(byUser(client)).isEqualTo(supported ? ours : withoutKeys);
    }
  }

  private static Map<String, String> byUser(ManagedChannel channel) {
    Map<String, String> byUser = new TreeMap<>();
    for (int user = 0; user < 40; user++) {
      byUser.put(
          "user-" + user,
          Rpc.call(channel, Rpc.METHOD, Rpc.headers("x-user", "user-" + user)).backend());
    }
    return byUser;
  }

  private static Map<String, String> byUser(ForeignClient client) {
    Map<String, String> byUser = new TreeMap<>();
    for (int user = 0; user < 40; user++) {
      byUser.put("user-" + user, call(client, "x-user=user-" + user).replaceFirst("^OK ", ""));
    }
    return byUser;
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "go", "node"})
  void loadReportsHaveTheSameNumbers(String language) {
    stage.serve(one);
    stage.ads.set(Xds.cluster("c", "\"lrs_server\": {\"self\": {}}"));
    // What is asked for is more often than some clients will report; that does not matter here.
    LoadStatsResponse wanted = FakeLoadService.wantingAll(Duration.ofMillis(200));
    LoadTotals expected = new LoadTotals(200, 180, 20, 0, 0);

    ManagedChannel ours = stage.channel();
    ours.getState(/* requestConnection= */ true);
    FakeStream<LoadStatsRequest, LoadStatsResponse> stream = stage.ads.loads.awaitStream();
    stream.send(wanted);
    one.failNext(20, Status.INTERNAL);
    assertThat(Rpc.share(ours, 200)).containsEntry("failed", 20);
    stream.awaitRequests(requests -> LoadTotals.of("c", requests).equals(expected));
    ours.shutdownNow();
    stream.awaitEnd();

    one.failNext(20, Status.INTERNAL);
    try (ForeignClient client = start(language)) {
      // It reports to a server that it has something to say to: calls come first.
      Map<String, Integer> first = share(client, 1);
      FakeStream<LoadStatsRequest, LoadStatsResponse> theirs = stage.ads.loads.awaitStream();
      theirs.send(wanted);
      assertThat(share(client, 199).getOrDefault("failed", 0) + first.getOrDefault("failed", 0))
          .isEqualTo(20);
      theirs.awaitRequests(requests -> LoadTotals.of("c", requests).equals(expected));
    }
  }

  /** C-core alone has sessions, too. */
  @ParameterizedTest
  @ValueSource(strings = {"python"})
  void sessionOfOneIsASessionOfTheOther(String language) {
    stage.serve(one, two, three);
    stage.ads.set(Xds.listener(SessionsTest.filter("")));
    ManagedChannel ours = stage.channel();
    try (ForeignClient client = start(language)) {
      for (int i = 0; i < 6; i++) {
        SessionsTest.Answer here = SessionsTest.call(ours, "");
        assertThat(call(client, "cookie=" + here.cookie())).isEqualTo("OK " + here.backend());

        String there = call(client);
        assertThat(there).startsWith("OK ").contains(" set-cookie: sid=");
        String backend = there.split(" ", 3)[1];
        SessionsTest.Answer again = SessionsTest.call(ours, cookie(there));
        assertThat(again.backend()).isEqualTo(backend);
        assertThat(again.setCookie()).as("it is its own cookie").isNull();
      }
    }
  }

  /** Calls without a session are split; those of a session stay in its cluster, with either. */
  @ParameterizedTest
  @ValueSource(strings = {"python"})
  void sessionsStayInTheirClusterThoughCallsAreSplit(String language) {
    SessionsTest.serveSplit(stage, one, two);
    ManagedChannel ours = stage.channel();
    Set<String> backends = new TreeSet<>();
    try (ForeignClient client = start(language)) {
      for (int i = 0; i < 20; i++) {
        String first = call(client);
        assertThat(first).startsWith("OK ").contains(" set-cookie: sid=");
        String backend = first.split(" ", 3)[1];
        backends.add(backend);
        SessionsTest.Answer here = SessionsTest.call(ours, "");
        for (int again = 0; again < 3; again++) {
          assertThat(call(client, "cookie=" + cookie(first))).isEqualTo("OK " + backend);
          SessionsTest.Answer next = SessionsTest.call(ours, cookie(first));
          assertThat(next.backend()).isEqualTo(backend);
          assertThat(next.setCookie()).as("it is its own cookie").isNull();
          assertThat(call(client, "cookie=" + here.cookie())).isEqualTo("OK " + here.backend());
        }
      }
    }
    assertThat(backends).containsExactly("one", "two");
  }

  /** Of an aggregate cluster, the cluster is chosen first, and then the session counts (A75). */
  @ParameterizedTest
  @ValueSource(strings = {"python"})
  void sessionsOfAnAggregateClusterMoveWithIt(String language) {
    SessionsTest.serveAggregate(stage, one, two);
    try (ForeignClient client = start(language)) {
      String first = call(client);
      assertThat(first).startsWith("OK one set-cookie: sid=");
      one.stop();
      String[] moved = new String[1];
      Stage.await(
          "the session at two",
          () -> {
            moved[0] = call(client, "cookie=" + cookie(first));
            return moved[0].startsWith("OK two ");
          });
      // Holdfast takes the cookie for one of its own.
      ManagedChannel ours = stage.channel();
      assertThat(SessionsTest.call(ours, cookie(moved[0])).backend()).isEqualTo("two");
      one.restart();
      Stage.await(
          "the session at one again",
          () -> call(client, "cookie=" + cookie(moved[0])).startsWith("OK one "));
    }
  }

  /** What a client sends back of the cookie that it was given. */
  private static String cookie(String answer) {
    String from = answer.substring(answer.indexOf("set-cookie: ") + "set-cookie: ".length());
    return from.substring(0, from.indexOf(';'));
  }

  /** A filter that they do not know. */
  @ParameterizedTest
  @ValueSource(strings = {"go", "node"})
  void othersRefuseTheFilterOfSessions(String language) {
    stage.serve(one);
    stage.ads.set(Xds.listener(SessionsTest.filter("")));
    try (ForeignClient client = start(language)) {
      assertThat(code(call(client))).isNotEqualTo("OK");
      assertThat(stage.ads.awaitNack())
          .containsAnyOf("StatefulSession", "sessions filter validation failed");
    }
  }
}
