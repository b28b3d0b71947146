// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that are not let through, or not for long. */
@Execution(ExecutionMode.CONCURRENT)
class ClusterLimitsTest {
  private final Stage stage = new Stage();
  private final Backend backend = stage.backend("one");

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void shareOfCallsIsDropped() {
    stage.serve();
    ClusterLoadAssignment.Builder endpoints = Resources.endpoints("c", backend.port()).toBuilder();
    Resources.read(
        """
        {"drop_overloads": [
          {"category": "lb", "drop_percentage": {"numerator": 40, "denominator": "HUNDRED"}}]}
        """,
        endpoints.getPolicyBuilder());
    stage.ads.set(endpoints.build());
    ManagedChannel channel = stage.channel();
    // 400 expected, with a standard deviation of 15.5: five of them either way.
    assertThat(Rpc.share(channel, 1000).get("failed")).isBetween(322, 478);
    Rpc.Outcome dropped = Stage.awaitCall(channel, "a drop", outcome -> !outcome.isOk());
    assertThat(dropped.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(dropped.text()).contains("cluster c: ", "category \"lb\"");
  }

  @Test
  void circuitBreakerLimitsTheCallsThatAreUnderWay() throws Exception {
    // All channels of a process count together, by the name of the cluster.
    stage.serve();
    stage.ads.set(
        Resources.routesTo("r", "limited"),
        Xds.cluster("limited", "\"circuit_breakers\": {\"thresholds\": [{\"max_requests\": 2}]}"),
        Resources.endpoints("limited", backend.port()));
    ManagedChannel channel = stage.channel();
    assertThat(Rpc.call(channel).isOk()).isTrue();
    backend.hold();
    ListenableFuture<String> one = Rpc.begin(channel);
    ListenableFuture<String> two = Rpc.begin(channel);
    Stage.await("both to arrive", () -> backend.calls() == 3);
    Rpc.Outcome third = Rpc.call(channel);
    assertThat(third.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(third.text()).contains("cluster limited: 2 calls under way", "max_requests");
    backend.release();
    assertThat(one.get()).isEqualTo("one");
    assertThat(two.get()).isEqualTo("one");
    Stage.awaitBackend(channel, backend);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"max_stream_duration\": \"0.2s\"}",
        "{\"max_stream_duration\": \"30s\", \"grpc_timeout_header_max\": \"0.2s\"}"
      })
  void routeLimitsHowLongCallsTake(String duration) throws Exception {
    stage.serve(backend);
    stage.ads.set(Xds.routes(Xds.route("\"max_stream_duration\": " + duration)));
    ManagedChannel channel = stage.channel();
    backend.hold();
    long before = System.nanoTime();
    Rpc.Outcome outcome = Rpc.call(channel);
    assertThat(outcome.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(System.nanoTime() - before).isBetween(200_000_000L, 20_000_000_000L);
  }

  @Test
  void listenerLimitsCallsOfRoutesThatDoNot() throws Exception {
    stage.serve(backend);
    stage.ads.set(
        Resources.listener(
            """
            {"name": "svc", "api_listener": {"api_listener": {
              "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
              "common_http_protocol_options": {"max_stream_duration": "0.2s"},
              "rds": {"route_config_name": "r", "config_source": {"ads": {}}},
              "http_filters": [{"name": "router", "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}]}}}
            """));
    ManagedChannel channel = stage.channel();
    backend.hold();
    assertThat(Rpc.call(channel).code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    backend.release();
    // A route that says "no limit" has none.
    stage.ads.set(
        Xds.routes(Xds.route("\"max_stream_duration\": {\"max_stream_duration\": \"0s\"}")));
    Stage.await("no limit", () -> outlastsTheListener(channel));
  }

  /** Whether a call takes longer than the listener allows. */
  private boolean outlastsTheListener(ManagedChannel channel) throws Exception {
    backend.hold();
    ListenableFuture<String> call = Rpc.begin(channel);
    try {
      call.get(500, TimeUnit.MILLISECONDS);
      return false;
    } catch (ExecutionException e) {
      return false;
    } catch (TimeoutException e) {
      // Still under way, or its time is up and nobody has had the time to say so.
      backend.release();
    }
    try {
      return call.get().equals("one");
    } catch (ExecutionException e) {
      return false;
    }
  }

  @Test
  void runtimeFractionSendsAShareOfCallsElsewhere() {
    Backend other = stage.backend("other");
    stage.serve(backend);
    stage.ads.set(
        Resources.edsCluster("d"),
        Resources.endpoints("d", other.port()),
        Xds.routes(
            """
            {"match": {"prefix": "", "runtime_fraction": {"default_value":
               {"numerator": 300000, "denominator": "MILLION"}}},
             "route": {"cluster": "d"}}
            """,
            Xds.route("")));
    // 300 expected, with a standard deviation of 14.5: five of them either way.
    assertThat(Rpc.share(stage.channel(), 1000).get("other")).isBetween(227, 373);
  }

  @Test
  void logicalDnsClustersResolveTheirHost() {
    stage.serve();
    stage.ads.set(
        Resources.cluster(
            """
            {"name": "c", "type": "LOGICAL_DNS", "load_assignment": {"endpoints": [{"lb_endpoints": [
              {"endpoint": {"address": {"socket_address":
                {"address": "localhost", "port_value": %d}}}}]}]}}
            """
                .formatted(backend.port())));
    assertThat(Rpc.call(stage.channel())).isEqualTo(new Rpc.Outcome(Status.OK, "one"));
  }
}
