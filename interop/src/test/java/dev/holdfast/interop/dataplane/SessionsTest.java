// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.core.v3.HealthStatus;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Sessions by cookie (gRFC A55, A60, A75), through real channels. grpc-xds has none, so that there
 * is nothing to compare with.
 */
@Execution(ExecutionMode.CONCURRENT)
class SessionsTest {
  private static final String FILTERS = "type.googleapis.com/envoy.extensions.filters.http.";
  private static final Metadata.Key<String> SET_COOKIE =
      Metadata.Key.of("set-cookie", Metadata.ASCII_STRING_MARSHALLER);

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");
  private final Backend two = stage.backend("two");
  private final Backend three = stage.backend("three");

  @AfterEach
  void close() {
    stage.close();
  }

  static String filter(String path) {
    return """
        {"name": "sessions", "typed_config": {
          "@type": "%sstateful_session.v3.StatefulSession",
          "session_state": {"name": "cookie", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
            "cookie": {"name": "sid", "path": "%s", "ttl": "120s"}}}}}
        """
        .formatted(FILTERS, path);
  }

  /** A call, and the cookie that it was answered with. */
  record Answer(String backend, @Nullable String setCookie, Status status) {
    /** As an application sends it with the next call. */
    String cookie() {
      if (setCookie == null) {
        throw new AssertionError("no cookie");
      }
      return setCookie.substring(0, setCookie.indexOf(';'));
    }

    String cookieText() {
      return new String(
          Base64.getDecoder().decode(cookie().substring("sid=".length())), StandardCharsets.UTF_8);
    }
  }

  static Answer call(ManagedChannel channel, String cookie) {
    return call(channel, Rpc.METHOD, cookie);
  }

  private static Answer call(ManagedChannel channel, String method, String cookie) {
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    Metadata sent = cookie.isEmpty() ? new Metadata() : Rpc.headers("cookie", "a=b; " + cookie);
    Status status = Status.OK;
    String backend = "";
    try {
      backend =
          ClientCalls.blockingUnaryCall(
              ClientInterceptors.intercept(
                  channel,
                  MetadataUtils.newCaptureMetadataInterceptor(headers, trailers),
                  MetadataUtils.newAttachHeadersInterceptor(sent)),
              Rpc.method(method),
              CallOptions.DEFAULT.withDeadlineAfter(40, TimeUnit.SECONDS),
              "");
    } catch (StatusRuntimeException e) {
      status = e.getStatus();
    }
    Metadata response = headers.get() == null ? trailers.get() : headers.get();
    return new Answer(backend, response == null ? null : response.get(SET_COOKIE), status);
  }

  private static ClusterLoadAssignment withHealth(
      ClusterLoadAssignment endpoints, int index, HealthStatus health) {
    ClusterLoadAssignment.Builder changed = endpoints.toBuilder();
    changed.getEndpointsBuilder(0).getLbEndpointsBuilder(index).setHealthStatus(health);
    return changed.build();
  }

  @Test
  void callsOfASessionGoToOneServer() {
    stage.serve(one, two, three);
    stage.ads.set(Xds.listener(filter("")));
    ManagedChannel channel = stage.channel();
    Set<String> servers = new HashSet<>();
    for (int i = 0; i < 9; i++) {
      Answer first = call(channel, "");
      servers.add(first.backend());
      assertThat(first.setCookie()).endsWith("; Max-Age=120; HttpOnly");
      assertThat(first.cookieText()).startsWith("127.0.0.1:").endsWith(";c");
      for (int again = 0; again < 3; again++) {
        Answer next = call(channel, first.cookie());
        assertThat(next.backend()).isEqualTo(first.backend());
        assertThat(next.setCookie()).as("the application has it").isNull();
      }
    }
    assertThat(servers)
        .as("sessions are balanced")
        .containsExactlyInAnyOrder("one", "two", "three");
  }

  @Test
  void cookieOfAnotherChannelWillDo() {
    stage.serve(one, two, three);
    stage.ads.set(Xds.listener(filter("")));
    Answer first = call(stage.channel(), "");
    ManagedChannel other = stage.channel();
    for (int i = 0; i < 6; i++) {
      assertThat(call(other, first.cookie()).backend()).isEqualTo(first.backend());
    }
  }

  @Test
  void sessionWhoseServerIsGoneMovesAndStays() {
    stage.serve(one, two);
    stage.ads.set(Xds.listener(filter("")));
    ManagedChannel channel = stage.channel();
    Answer first = call(channel, "");
    Backend lost = first.backend().equals("one") ? one : two;
    lost.stop();
    Answer[] moved = new Answer[1];
    Stage.await(
        "an answer of another server",
        () -> {
          moved[0] = call(channel, first.cookie());
          return moved[0].status().isOk();
        });
    assertThat(moved[0].backend()).isNotEqualTo(first.backend());
    assertThat(call(channel, moved[0].cookie()).setCookie()).isNull();
  }

  @Test
  void serverThatDrainsKeepsItsSessionsAndGetsNoOthers() {
    stage.serve(one, two);
    ClusterLoadAssignment endpoints = Resources.endpoints("c", one.port(), two.port());
    stage.ads.set(
        Xds.listener(filter("")),
        Xds.cluster(
            "c",
            "\"common_lb_config\": {\"override_host_status\":"
                + " {\"statuses\": [\"UNKNOWN\", \"HEALTHY\", \"DRAINING\"]}}"),
        endpoints);
    ManagedChannel channel = stage.channel();
    Answer[] first = new Answer[1];
    Stage.await(
        "a session at one",
        () -> {
          first[0] = call(channel, "");
          return first[0].backend().equals("one");
        });
    stage.ads.set(withHealth(endpoints, 0, HealthStatus.DRAINING));
    Stage.await(
        "new sessions at two only",
        () -> {
          for (int i = 0; i < 8; i++) {
            if (!call(channel, "").backend().equals("two")) {
              return false;
            }
          }
          return true;
        });
    for (int i = 0; i < 5; i++) {
      assertThat(call(channel, first[0].cookie()).backend()).isEqualTo("one");
    }
    ManagedChannel fresh = stage.channel();
    assertThat(call(fresh, first[0].cookie()).backend()).as("a new client").isEqualTo("one");
    stage.ads.set(withHealth(endpoints, 0, HealthStatus.UNHEALTHY));
    Stage.await(
        "the session at two", () -> call(channel, first[0].cookie()).backend().equals("two"));
  }

  /** Half of the calls go to one cluster and half to another. */
  static void serveSplit(Stage stage, Backend one, Backend two) {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(filter("")),
        Resources.edsCluster("d"),
        Resources.endpoints("d", two.port()),
        Xds.routes(
            "{\"match\": {\"prefix\": \"\"}, \"route\": {\"weighted_clusters\": {\"clusters\": ["
                + "{\"name\": \"c\", \"weight\": 1}, {\"name\": \"d\", \"weight\": 1}]}}}"));
  }

  @Test
  void sessionStaysInItsClusterThoughCallsAreSplit() {
    serveSplit(stage, one, two);
    ManagedChannel channel = stage.channel();
    Set<String> clusters = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      Answer first = call(channel, "");
      clusters.add(first.cookieText().substring(first.cookieText().indexOf(';')));
      for (int again = 0; again < 5; again++) {
        Answer next = call(channel, first.cookie());
        assertThat(next.backend()).isEqualTo(first.backend());
        assertThat(next.setCookie()).isNull();
      }
    }
    assertThat(clusters).containsExactlyInAnyOrder(";c", ";d");
  }

  @Test
  void sessionStaysWhereItIsWhenAHigherPriorityComesBack() {
    stage.serve();
    ClusterLoadAssignment both =
        Xds.endpoints("c", Xds.locality("a", 0, 1, one), Xds.locality("b", 1, 1, two));
    stage.ads.set(Xds.listener(filter("")), both);
    ManagedChannel channel = stage.channel();
    assertThat(call(channel, "").backend()).isEqualTo("one");
    one.stop();
    Answer[] session = new Answer[1];
    Stage.await(
        "a session at two",
        () -> {
          session[0] = call(channel, "");
          return session[0].backend().equals("two");
        });
    one.restart();
    Stage.awaitBackend(channel, one);
    assertThat(call(channel, session[0].cookie()).backend()).isEqualTo("two");
    assertThat(call(stage.channel(), session[0].cookie()).backend())
        .as("a channel that is not connected there")
        .isEqualTo("two");
  }

  @Test
  void sessionOfAnAggregateClusterStaysAtItsServer() {
    stage.serve(one, two);
    stage.ads.set(
        Xds.listener(filter("")),
        Xds.aggregate("agg", "c"),
        Xds.routes("{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \"agg\"}}"));
    ManagedChannel channel = stage.channel();
    Answer first = call(channel, "");
    assertThat(first.cookieText()).endsWith(";agg");
    for (int i = 0; i < 6; i++) {
      assertThat(call(channel, first.cookie()).backend()).isEqualTo(first.backend());
    }
  }

  /** As A75 has it: calls choose a cluster of the aggregate first, and then the session counts. */
  @Test
  void sessionOfAnAggregateClusterMovesWithTheClusterThatCallsGoTo() {
    serveAggregate(stage, one, two);
    ManagedChannel channel = stage.channel();
    Answer first = call(channel, "");
    assertThat(first.backend()).isEqualTo("one");
    one.stop();
    Answer[] moved = new Answer[1];
    Stage.await(
        "the session at two",
        () -> {
          moved[0] = call(channel, first.cookie());
          return moved[0].backend().equals("two");
        });
    assertThat(moved[0].cookieText()).endsWith(";agg");
    assertThat(call(channel, moved[0].cookie()).setCookie()).isNull();
    one.restart();
    Stage.await(
        "the session at one again", () -> call(channel, moved[0].cookie()).backend().equals("one"));
  }

  /** An aggregate of two clusters with a server each. */
  static void serveAggregate(Stage stage, Backend first, Backend second) {
    stage.serve(first);
    stage.ads.set(
        Xds.listener(filter("")),
        // C-core refuses the policy CLUSTER_PROVIDED, and Holdfast needs none.
        Xds.aggregate("agg", "c", "d").toBuilder().clearLbPolicy().build(),
        Resources.edsCluster("d"),
        Resources.endpoints("d", second.port()),
        Xds.routes("{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \"agg\"}}"));
  }

  @Test
  void outliersLoseTheirSessions() {
    stage.serve(one, two);
    stage.ads.set(
        Xds.listener(filter("")),
        Xds.cluster(
            "c",
            "\"outlier_detection\": {\"interval\": \"0.2s\", \"base_ejection_time\": \"600s\","
                + " \"max_ejection_percent\": 50, \"enforcing_success_rate\": 0,"
                + " \"failure_percentage_threshold\": 50,"
                + " \"enforcing_failure_percentage\": 100,"
                + " \"failure_percentage_minimum_hosts\": 2,"
                + " \"failure_percentage_request_volume\": 3}"));
    ManagedChannel channel = stage.channel();
    Answer[] first = new Answer[1];
    Stage.await(
        "a session at one",
        () -> {
          first[0] = call(channel, "");
          return first[0].backend().equals("one");
        });
    one.failAlways(Status.INTERNAL);
    Stage.await(
        "the session at two",
        () -> {
          for (int i = 0; i < 6; i++) {
            call(channel, "");
          }
          return call(channel, first[0].cookie()).backend().equals("two");
        });
  }

  @Test
  void overrideAndPathSayWhichCallsHaveSessions() {
    stage.serve(one, two);
    stage.ads.set(
        Xds.listener(filter("/test.Shop")),
        Xds.routes(
            "{\"match\": {\"path\": \"/test.Shop/Off\"}, \"route\": {\"cluster\": \"c\"},"
                + " \"typed_per_filter_config\": {\"sessions\": {\"@type\": \""
                + FILTERS
                + "stateful_session.v3.StatefulSessionPerRoute\", \"disabled\": true}}}",
            Xds.route("")));
    ManagedChannel channel = stage.channel();
    Answer first = call(channel, "");
    assertThat(first.setCookie()).contains("; Path=/test.Shop;");
    assertThat(call(channel, "test.Shop/Off", "").setCookie()).isNull();
    assertThat(call(channel, "test.Cart/Get", "").setCookie()).isNull();
    Set<String> servers = new HashSet<>();
    Stage.await( // round robin, as soon as both are connected
        "calls of both",
        () -> {
          servers.add(call(channel, "test.Shop/Off", first.cookie()).backend());
          return servers.equals(Set.of("one", "two"));
        });
  }

  @Test
  void cookieThatMakesNoSenseCostsNothing() {
    stage.serve(one, two);
    stage.ads.set(Xds.listener(filter("")));
    ManagedChannel channel = stage.channel();
    for (String cookie : new String[] {"sid=", "sid=%", "sid=aGVsbG8=", "sid=MTAuMC4wLjE6MTtj"}) {
      Answer answer = call(channel, cookie);
      assertThat(answer.status().isOk()).isTrue();
      assertThat(answer.setCookie()).isNotNull();
    }
  }

  @Test
  void answerThatIsOnlyTrailersSetsTheCookieThere() {
    stage.serve(one);
    stage.ads.set(Xds.listener(filter("")));
    ManagedChannel channel = stage.channel();
    one.failNext(1, Status.NOT_FOUND);
    Answer answer = call(channel, "");
    assertThat(answer.status().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(answer.cookieText()).isEqualTo("127.0.0.1:" + one.port() + ";c");
  }
}
