// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static dev.holdfast.grpc.resolver.Mesh.call;
import static dev.holdfast.grpc.resolver.Mesh.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls through a real channel: where they go and on what terms. */
class ChannelRoutingTest {
  private final Mesh mesh = new Mesh();
  private final Backend one = new Backend("one");
  private final Backend two = new Backend("two");

  @AfterEach
  void close() {
    mesh.close();
    one.close();
    two.close();
  }

  @Test
  void callsGoToTheClusterOfTheirRoute() {
    ManagedChannel channel = mesh.channel();
    serveTwo(
        """
        {"match": {"path": "/S/One"}, "route": {"cluster": "c"}},
        {"match": {"prefix": "/S/"}, "route": {"cluster": "d"}}
        """);
    assertThat(call(channel, "S/One")).isEqualTo("one");
    assertThat(call(channel, "S/Other")).isEqualTo("two");
    Status status = failure(channel, "T/None");
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo("no route for /T/None in virtual host h of RDS resource r");
  }

  @Test
  void a44CallsAreTriedAgainAsTheRouteSays() {
    ManagedChannel channel = mesh.channel();
    mesh.serveAll(retrying("unavailable", 2), one);
    one.failNext(Status.UNAVAILABLE, Status.UNAVAILABLE);
    assertThat(call(channel, "S/M")).isEqualTo("one");
    assertThat(one.calls().all()).hasSize(3);

    one.failNext(Status.INTERNAL.withDescription("not to be retried"));
    assertThat(failure(channel, "S/M").getDescription()).isEqualTo("not to be retried");
    assertThat(one.calls().all()).hasSize(4);

    one.failNext(
        Status.UNAVAILABLE, Status.UNAVAILABLE, Status.UNAVAILABLE.withDescription("the third"));
    assertThat(failure(channel, "S/M").getDescription()).isEqualTo("the third");
    assertThat(one.calls().all()).hasSize(7);
  }

  @Test
  void a44ChannelWithRetriesDisabledTriesOnce() {
    ManagedChannel channel = mesh.open(mesh.builder().disableRetry());
    mesh.serveAll(retrying("unavailable", 2), one);
    one.failNext(Status.UNAVAILABLE.withDescription("the first"));
    assertThat(failure(channel, "S/M").getDescription()).isEqualTo("the first");
    assertThat(one.calls().all()).hasSize(1);
  }

  @Test
  void a31TimeoutOfTheRouteLimitsTheCall() {
    ManagedChannel channel = mesh.channel();
    mesh.serveAll(
        routes(
            """
            {"match": {"prefix": ""}, "route": {"cluster": "c",
              "max_stream_duration": {"max_stream_duration": "0.2s"}}}
            """),
        one);
    one.holdNext();
    assertThat(failure(channel, "S/M", CallOptions.DEFAULT).getCode())
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void callUnderWayKeepsItsClusterWhenRoutesMoveAway() throws Exception {
    ManagedChannel channel = mesh.channel();
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream =
        mesh.serveAll(Resources.routesTo("r", "c"), one);
    one.holdNext();
    CompletableFuture<String> call = Mesh.start(channel, "S/M", CallOptions.DEFAULT);
    ServerCall<String, String> held = one.awaitHeld();

    mesh.serve(stream, "r", Resources.routesTo("r", "d"));
    mesh.serve(stream, "d", Resources.edsCluster("c"), Resources.edsCluster("d"));
    mesh.serve(stream, "d", Resources.endpoints("d", two.port()));
    String answer = "";
    while (!answer.equals("two")) {
      answer = call(channel, "S/N");
    }
    assertThat(clustersAskedFor(stream.requests())).containsExactlyInAnyOrder("c", "d");

    one.answer(held);
    assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("one");
    stream.awaitRequests(requests -> clustersAskedFor(requests).equals(List.of("d")));
    assertThat(call(channel, "S/N")).isEqualTo("two");
  }

  /** Those of the newest request for clusters. */
  private static List<String> clustersAskedFor(List<DiscoveryRequest> requests) {
    List<String> names = List.of();
    for (DiscoveryRequest request : requests) {
      if (request.getTypeUrl().equals(TypeUrls.CLUSTER)) {
        names = request.getResourceNamesList();
      }
    }
    return names;
  }

  private void serveTwo(String routes) {
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
    mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
    mesh.serve(stream, "r", routes(routes));
    mesh.serve(stream, "d", Resources.edsCluster("c"), Resources.edsCluster("d"));
    mesh.serve(
        stream, "d", Resources.endpoints("c", one.port()), Resources.endpoints("d", two.port()));
  }

  private static RouteConfiguration routes(String routes) {
    return Resources.routeConfiguration(
        """
        {"name": "r", "virtual_hosts": [{"name": "h", "domains": ["svc"], "routes": [%s]}]}"""
            .formatted(routes));
  }

  private static RouteConfiguration retrying(String on, int retries) {
    return routes(
        """
        {"match": {"prefix": ""}, "route": {"cluster": "c", "retry_policy": {
          "retry_on": "%s", "num_retries": %d,
          "retry_back_off": {"base_interval": "0.001s"}}}}
        """
            .formatted(on, retries));
  }
}
