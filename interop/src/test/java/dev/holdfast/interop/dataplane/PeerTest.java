// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holdfast and grpc-xds side by side, on one control plane. The names of the tests are what the
 * page on moving from one to the other claims.
 */
@Execution(ExecutionMode.CONCURRENT)
class PeerTest {
  private static final Status SICK = Status.UNAVAILABLE.withDescription("sick");

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");
  private final Backend two = stage.backend("two");

  @AfterEach
  void close() {
    stage.close();
  }

  private List<ManagedChannel> both() {
    return List.of(stage.channel(), stage.peer());
  }

  @ParameterizedTest
  @CsvSource({
    "test.Cart/Add, x-none, y, two",
    "test.Shop/Who, x-none, y, one",
    "test.Shop/Who, x-tenant, blue, two",
    "test.Exact/Who, x-none, y, two",
    "test.Regex/Who42, x-none, y, two"
  })
  void sameCallsMatchTheSameRoutes(String method, String name, String value, String backend) {
    stage.serve(one);
    stage.ads.set(
        Resources.edsCluster("d"),
        Resources.endpoints("d", two.port()),
        Xds.routes(
            "{\"match\": {\"prefix\": \"/test.Cart/\"}, \"route\": {\"cluster\": \"d\"}}",
            "{\"match\": {\"path\": \"/test.Exact/Who\"}, \"route\": {\"cluster\": \"d\"}}",
            "{\"match\": {\"safe_regex\": {\"regex\": \"/test.Regex/Who[0-9]+\"}},"
                + " \"route\": {\"cluster\": \"d\"}}",
            "{\"match\": {\"prefix\": \"\", \"headers\": [{\"name\": \"x-tenant\","
                + " \"string_match\": {\"exact\": \"blue\"}}]}, \"route\": {\"cluster\": \"d\"}}",
            Xds.route("")));
    for (ManagedChannel channel : both()) {
      assertThat(Rpc.call(channel, method, Rpc.headers(name, value)).backend()).isEqualTo(backend);
    }
  }

  @Test
  void ringHashKeepsKeysButNotOnTheSameServersAsThePeer() {
    stage.serve(one, two);
    stage.ads.set(
        Xds.cluster("c", "\"lb_policy\": \"RING_HASH\""),
        Xds.routes(Xds.route("\"hash_policy\": [{\"header\": {\"header_name\": \"x-user\"}}]")));
    ManagedChannel ours = stage.channel();
    ManagedChannel peer = stage.peer();
    int moved = 0;
    for (int user = 0; user < 40; user++) {
      Metadata headers = Rpc.headers("x-user", "user-" + user);
      String here = Rpc.call(ours, Rpc.METHOD, headers).backend();
      String there = Rpc.call(peer, Rpc.METHOD, headers).backend();
      assertThat(Rpc.call(ours, Rpc.METHOD, headers).backend()).isEqualTo(here).isNotEmpty();
      assertThat(Rpc.call(peer, Rpc.METHOD, headers).backend()).isEqualTo(there).isNotEmpty();
      moved += here.equals(there) ? 0 : 1;
    }
    // It hashes Java's text of an address, "/127.0.0.1:80"; others have no slash.
    assertThat(moved).isPositive();
  }

  @Test
  void ringHashGoesByTheHashKeysOfServersWhichThePeerIgnores() {
    stage.ads.set(
        Xds.cluster("c", "\"lb_policy\": \"RING_HASH\""),
        Xds.routes(Xds.route("\"hash_policy\": [{\"header\": {\"header_name\": \"x-user\"}}]")),
        Resources.apiListener("svc", "r"),
        keyed("pod-0", "pod-1"));
    ManagedChannel ours = stage.channel();
    ManagedChannel peer = stage.peer();
    Map<String, String> here = byUser(ours);
    Map<String, String> there = byUser(peer);
    assertThat(here.values()).contains("one", "two").doesNotContain("");

    stage.ads.set(keyed("pod-1", "pod-0"));
    Map<String, String> swapped = new TreeMap<>(here);
    swapped.replaceAll((user, backend) -> backend.equals("one") ? "two" : "one");
    Stage.await("users to follow the keys", () -> byUser(ours).equals(swapped));
    assertThat(byUser(peer)).isEqualTo(there);
  }

  /** Both servers, with these keys. */
  private ClusterLoadAssignment keyed(String ofOne, String ofTwo) {
    return Xds.withHashKeys(Resources.endpoints("c", one.port(), two.port()), ofOne, ofTwo);
  }

  private static Map<String, String> byUser(ManagedChannel channel) {
    Map<String, String> byUser = new TreeMap<>();
    for (int user = 0; user < 20; user++) {
      Metadata headers = Rpc.headers("x-user", "user-" + user);
      byUser.put("user-" + user, Rpc.call(channel, Rpc.METHOD, headers).backend());
    }
    return byUser;
  }

  @Test
  void bothFailOverToTheNextPriority() {
    stage.serve();
    stage.ads.set(Xds.endpoints("c", Xds.locality("a", 0, 1, one), Xds.locality("b", 1, 1, two)));
    List<ManagedChannel> both = both();
    both.forEach(channel -> Stage.awaitBackend(channel, one));
    one.stop();
    both.forEach(channel -> Stage.awaitBackend(channel, two));
  }

  @Test
  void bothDropTheShareThatIsToBeDropped() {
    stage.serve();
    ClusterLoadAssignment.Builder endpoints = Resources.endpoints("c", one.port()).toBuilder();
    Resources.read(
        """
        {"drop_overloads": [
          {"category": "lb", "drop_percentage": {"numerator": 50, "denominator": "HUNDRED"}}]}
        """,
        endpoints.getPolicyBuilder());
    stage.ads.set(endpoints.build());
    for (ManagedChannel channel : both()) {
      // 200 expected, with a standard deviation of 10: six of them either way.
      assertThat(Rpc.share(channel, 400).get("failed")).isBetween(140, 260);
    }
  }

  @Test
  void bothEndCallsAfterTheMaxStreamDuration() {
    stage.serve(one);
    stage.ads.set(
        Xds.routes(Xds.route("\"max_stream_duration\": {\"max_stream_duration\": \"0.2s\"}")));
    one.hold();
    for (ManagedChannel channel : both()) {
      assertThat(Rpc.call(channel).code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void bothRetryByTheRoutesPolicy() {
    stage.serve(one);
    stage.ads.set(
        Xds.routes(
            Xds.route("\"retry_policy\": {\"retry_on\": \"unavailable\", \"num_retries\": 2}")));
    for (ManagedChannel channel : both()) {
      one.failNext(2, SICK);
      assertThat(Rpc.call(channel).isOk()).isTrue();
    }
  }

  @Test
  void bothGoOnWithoutTheControlPlane() {
    stage.serve(one);
    List<ManagedChannel> both = both();
    both.forEach(channel -> Stage.awaitBackend(channel, one));
    stage.ads.stop();
    both.forEach(channel -> assertThat(Rpc.share(channel, 50)).containsOnlyKeys("one"));
  }

  @Test
  void bothKeepAResourceWhoseUpdateTheyRefuse() {
    stage.serve(one);
    List<ManagedChannel> both = both();
    both.forEach(channel -> Stage.awaitBackend(channel, one));
    stage.ads.set(
        Resources.edsCluster("c").toBuilder().setType(Cluster.DiscoveryType.STATIC).build());
    stage.ads.awaitNack();
    stage.ads.awaitNack();
    both.forEach(channel -> assertThat(Rpc.share(channel, 20)).containsOnlyKeys("one"));
  }

  @Test
  void bothFailCallsToAMissingClusterAsUnavailable() {
    stage.serve(one);
    stage.ads.set(Resources.routesTo("r", "none"));
    stage.ads.remove(TypeUrls.CLUSTER, "none");
    ManagedChannel ours = stage.channel(options -> options.withBehaviour(Stage.QUICK));
    for (ManagedChannel channel : List.of(ours, stage.peer())) {
      Rpc.Outcome outcome = // on a busy machine, what leads to it may time out before
          Stage.awaitCall(channel, "failure", o -> o.text().contains("none"));
      assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  // Where they differ.

  @Test
  void oursKeepsAClusterThatTheServerDeletes() {
    stage.serve(one);
    ManagedChannel ours = stage.channel();
    ManagedChannel peer = stage.peer();
    Stage.awaitBackend(ours, one);
    Stage.awaitBackend(peer, one);
    stage.ads.remove(TypeUrls.CLUSTER, "c");
    assertThat(Stage.awaitCall(peer, "failure", outcome -> !outcome.isOk()).code())
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(Rpc.share(ours, 20)).containsOnlyKeys("one");
  }

  @Test
  void oursSaysAtOnceWhyTheServerDoesNotHaveAResource() throws Exception {
    stage.serve(one);
    stage.ads.error(TypeUrls.LISTENER, "svc", 7, "not for you");
    ManagedChannel ours = stage.channel();
    ManagedChannel peer = stage.peer();
    assertThat(Rpc.call(ours).text()).contains("LDS resource svc: not for you");
    ListenableFuture<String> waiting = Rpc.begin(peer);
    Assertions.assertThatThrownBy(() -> waiting.get(3, TimeUnit.SECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void oursTellsOfTheControlPlaneWhenServersCannotBeReached() {
    stage.serve(one);
    ManagedChannel ours = stage.channel();
    ManagedChannel peer = stage.peer();
    Stage.awaitBackend(ours, one);
    Stage.awaitBackend(peer, one);
    stage.ads.stop();
    one.stop();
    Stage.awaitCall(ours, "both", outcome -> outcome.text().contains(stage.ads.uri()));
    Rpc.Outcome theirs = Stage.awaitCall(peer, "failure", outcome -> !outcome.isOk());
    assertThat(theirs.text()).doesNotContain(stage.ads.uri());
  }

  @Test
  void oursRetriesByThePolicyOfTheVirtualHost() {
    stage.serve(one);
    stage.ads.set(
        Xds.host(
            "\"retry_policy\": {\"retry_on\": \"unavailable\", \"num_retries\": 2},",
            Xds.route("")));
    one.failNext(2, SICK);
    assertThat(Rpc.call(stage.channel()).isOk()).isTrue();
    one.failNext(1, SICK);
    assertThat(Rpc.call(stage.peer()).text()).contains("sick");
  }

  @Test
  void oursRefusesNumRetriesOfZeroAndPeerFailsAllCalls() {
    stage.serve(one);
    ManagedChannel ours = stage.channel();
    Stage.awaitBackend(ours, one);
    stage.ads.set(
        Xds.routes(
            Xds.route("\"retry_policy\": {\"retry_on\": \"unavailable\", \"num_retries\": 0}")));
    assertThat(stage.ads.awaitNack()).contains("num_retries");
    assertThat(Rpc.share(ours, 10)).containsOnlyKeys("one");
    Rpc.Outcome theirs = Rpc.call(stage.peer());
    assertThat(theirs.isOk()).isFalse();
    assertThat(theirs.text()).contains("service config");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UNAVAILABLE", "Unavailable"})
  void oursTakesTheNamesOfRetryOnAsTheyAreDefined(String retryOn) {
    stage.serve(one);
    stage.ads.set(
        Xds.routes(
            Xds.route(
                "\"retry_policy\": {\"retry_on\": \"" + retryOn + "\", \"num_retries\": 1}")));
    one.failNext(1, SICK);
    assertThat(Rpc.call(stage.channel()).isOk()).isFalse();
    one.failNext(1, SICK);
    assertThat(Rpc.call(stage.peer()).isOk()).isTrue();
  }

  @Test
  void bothRefuseFiltersThatTheyDoNotHaveUnlessTheyAreOptional() {
    stage.serve(one);
    List<ManagedChannel> both = both();
    both.forEach(channel -> Stage.awaitBackend(channel, one));
    stage.ads.set(Xds.listenerWithUnknownFilter(/* optional= */ false));
    assertThat(stage.ads.awaitNack()).contains("svc", "acme.Unknown");
    assertThat(stage.ads.awaitNack()).contains("svc", "acme.Unknown");
    both.forEach(channel -> assertThat(Rpc.share(channel, 10)).containsOnlyKeys("one"));
    stage.ads.set(Xds.listenerWithUnknownFilter(/* optional= */ true));
    assertThat(Rpc.share(stage.channel(), 10)).containsOnlyKeys("one");
    assertThat(Rpc.call(stage.peer()).backend()).isEqualTo("one");
  }
}
