// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static dev.holdfast.grpc.resolver.Mesh.call;
import static dev.holdfast.grpc.resolver.Mesh.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.ServerFeature;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls through a real channel that lacks its configuration: what they see, and who waits. */
class ChannelFailuresTest {
  private final Mesh mesh = new Mesh(ServerFeature.FAIL_ON_DATA_ERRORS);
  private final Backend backend = new Backend("one");

  @AfterEach
  void close() {
    mesh.close();
    backend.close();
  }

  @Test
  void h35MissingListenerFailsCallsAndThoseThatWaitGoOnWhenItComes() throws Exception {
    ManagedChannel channel = mesh.channel();
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
    refuseListener(stream);

    Status status = failure(channel, "S/M");
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .isEqualTo("LDS resource svc: no such service (node ID:node-1)");

    CompletableFuture<String> waiting = Mesh.start(channel, "S/M", Mesh.waiting());
    mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
    mesh.serve(stream, "r", Resources.routesTo("r", "c"));
    mesh.serve(stream, "c", Resources.edsCluster("c"));
    mesh.serve(stream, "c", Resources.endpoints("c", backend.port()));
    assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("one");
    assertThat(call(channel, "S/M")).isEqualTo("one");
  }

  @Test
  void e40ListenerThatIsDroppedFailsCallsUntilItIsBack() throws Exception {
    ManagedChannel channel = mesh.channel();
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream =
        mesh.serveAll(Resources.routesTo("r", "c"), backend);
    assertThat(call(channel, "S/M")).isEqualTo("one");

    mesh.send(stream, TypeUrls.LISTENER);
    Status status = Status.OK;
    while (status.isOk()) {
      status = outcome(channel);
    }
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).contains("LDS resource svc: does not exist", "node-1");

    CompletableFuture<String> waiting = Mesh.start(channel, "S/M", Mesh.waiting());
    mesh.send(stream, TypeUrls.LISTENER, Resources.apiListener("svc", "r"));
    stream.awaitRequests(
        requests ->
            requests.stream()
                    .filter(request -> request.getTypeUrl().equals(TypeUrls.ROUTE_CONFIGURATION))
                    .filter(request -> request.getResourceNamesList().contains("r"))
                    .count()
                >= 3); // asked for, acknowledged, asked for again
    mesh.send(stream, TypeUrls.ROUTE_CONFIGURATION, Resources.routesTo("r", "c"));
    stream.awaitRequests(
        requests ->
            requests.get(requests.size() - 1).getTypeUrl().equals(TypeUrls.CLUSTER)
                && requests.get(requests.size() - 1).getResourceNamesList().contains("c"));
    mesh.send(stream, TypeUrls.CLUSTER, Resources.edsCluster("c"));
    stream.awaitRequests(
        requests ->
            requests.stream()
                    .filter(
                        request -> request.getTypeUrl().equals(TypeUrls.CLUSTER_LOAD_ASSIGNMENT))
                    .filter(request -> request.getResourceNamesList().contains("c"))
                    .count()
                >= 3);
    mesh.send(stream, TypeUrls.CLUSTER_LOAD_ASSIGNMENT, Resources.endpoints("c", backend.port()));
    assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("one");
  }

  @Test
  void lateCallWithoutARouteDoesNotWait() {
    ManagedChannel channel = mesh.channel();
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
    refuseListener(stream);
    failure(channel, "S/M");
    CompletableFuture<String> waiting = Mesh.start(channel, "T/M", Mesh.waiting());
    mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
    mesh.serve(
        stream,
        "r",
        Resources.routeConfiguration(
            """
            {"name": "r", "virtual_hosts": [{"name": "h", "domains": ["*"],
              "routes": [{"match": {"prefix": "/S/"}, "route": {"cluster": "c"}}]}]}
            """));
    mesh.serve(stream, "c", Resources.edsCluster("c"));
    mesh.serve(stream, "c", Resources.endpoints("c", backend.port()));
    assertThat(waiting)
        .failsWithin(60, TimeUnit.SECONDS)
        .withThrowableThat()
        .withMessageContaining("UNAVAILABLE: no route for /T/M");
  }

  @Test
  void clusterThatIsMissingFailsItsCallsAlone() {
    ManagedChannel channel = mesh.channel();
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
    mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
    mesh.serve(
        stream,
        "r",
        Resources.routeConfiguration(
            """
            {"name": "r", "virtual_hosts": [{"name": "h", "domains": ["*"], "routes": [
              {"match": {"prefix": "/Bad/"}, "route": {"cluster": "bad"}},
              {"match": {"prefix": ""}, "route": {"cluster": "c"}}]}]}
            """));
    stream.awaitRequests(
        requests ->
            requests.stream().anyMatch(request -> request.getResourceNamesList().contains("bad")));
    stream.send(
        SotwResponse.of(TypeUrls.CLUSTER, "1", "n")
            .with(Resources.edsCluster("c"))
            .withError("bad", Status.Code.PERMISSION_DENIED, "not yours")
            .build());
    mesh.serve(stream, "c", Resources.endpoints("c", backend.port()));
    assertThat(call(channel, "S/M")).isEqualTo("one");
    Status status = failure(channel, "Bad/M");
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).isEqualTo("CDS resource bad: not yours (node ID:node-1)");
  }

  private static Status outcome(ManagedChannel channel) {
    try {
      call(channel, "S/M");
      return Status.OK;
    } catch (io.grpc.StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  private static void refuseListener(FakeStream<DiscoveryRequest, DiscoveryResponse> stream) {
    stream.awaitRequest();
    stream.send(
        SotwResponse.of(TypeUrls.LISTENER, "0", "n0")
            .withError("svc", Status.Code.NOT_FOUND, "no such service")
            .build());
  }
}
