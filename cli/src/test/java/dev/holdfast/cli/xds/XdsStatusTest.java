// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Timestamp;
import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.testkit.ReservedPorts;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code holdfast xds status} against a server on a socket. */
class XdsStatusTest {
  private static final String ERROR =
      "the newest version is not valid: lb_policy: MAGLEV (expected: ROUND_ROBIN, RING_HASH or"
          + " LEAST_REQUEST); the version before it stays in use";

  private final CapturedOutput captured = new CapturedOutput();

  @Test
  void resourcesAreATableWithStateVersionAgeAndError() throws Exception {
    try (FakeCsds csds = FakeCsds.unary(response())) {
      int exitCode = captured.run("xds", "status", csds.address());

      assertThat(captured.lines())
          .containsExactly(
              "node node-1, scope xds:///shop",
              "TYPE      NAME  STATE      VERSION  AGE    ERROR",
              "cluster   cart  NACKED     7        1m30s  the newest version is not valid:"
                  + " lb_policy: MAGLEV (expected: ROUND_ROBIN,",
              "                                           RING_HASH or LEAST_REQUEST); the version"
                  + " before it stays in use",
              "listener  shop  REQUESTED  -        -",
              "",
              "node node-2",
              "no resources");
      assertThat(exitCode).isZero();
    }
  }

  @Test
  void onANarrowTerminalTheErrorIsBelow() throws Exception {
    try (FakeCsds csds = FakeCsds.unary(response())) {
      captured.run(Map.of("COLUMNS", "60"), "xds", "status", csds.address());

      assertThat(captured.lines().subList(1, 6))
          .containsExactly(
              "TYPE      NAME  STATE      VERSION  AGE",
              "cluster   cart  NACKED     7        1m30s",
              "    the newest version is not valid: lb_policy: MAGLEV",
              "    (expected: ROUND_ROBIN, RING_HASH or LEAST_REQUEST); the",
              "    version before it stays in use");
    }
  }

  @Test
  void asJsonTheyAreAnArrayOfClients() throws Exception {
    try (FakeCsds csds = FakeCsds.unary(response())) {
      int exitCode = captured.run("xds", "status", csds.address(), "-o", "json");

      assertThat(captured.out().replaceAll("\\n *", ""))
          .isEqualTo(
              "[{\"node_id\": \"node-1\",\"client_scope\": \"xds:///shop\",\"entries\": ["
                  + "{\"type\": \"cluster\",\"name\": \"cart\",\"state\": \"NACKED\","
                  + "\"cache_state\": \"nacked_but_cached\",\"version\": \"7\",\"cached\": true,"
                  + "\"error\": {\"code\": null,\"message\": \""
                  + ERROR
                  + "\"},\"last_updated\": \"2029-12-31T23:58:30.000Z\"},"
                  + "{\"type\": \"listener\",\"name\": \"shop\",\"state\": \"REQUESTED\","
                  + "\"cache_state\": \"requested\",\"version\": null,\"cached\": false,"
                  + "\"error\": null,\"last_updated\": null}]},"
                  + "{\"node_id\": \"node-2\",\"client_scope\": \"\",\"entries\": []}]");
      assertThat(exitCode).isZero();
    }
  }

  @Test
  void aServerThatOnlyStreamsIsAskedByStream() throws Exception {
    try (FakeCsds csds = FakeCsds.streaming(response())) {
      int exitCode = captured.run("xds", "status", csds.address());

      assertThat(captured.out()).contains("node node-1, scope xds:///shop");
      assertThat(exitCode).isZero();
    }
  }

  @Test
  void aProcessWithoutClientsIsNoError() throws Exception {
    try (FakeCsds csds = FakeCsds.unary(ClientStatusResponse.getDefaultInstance())) {
      assertThat(captured.run("xds", "status", csds.address())).isZero();
      assertThat(captured.run("xds", "status", csds.address(), "-o", "json")).isZero();

      assertThat(captured.lines()).containsExactly("the process has no xDS clients", "[]");
    }
  }

  @Test
  void aProcessThatIsNotThereIsAnErrorInOneLine() throws Exception {
    int port = ReservedPorts.next();

    int exitCode = captured.run("xds", "status", "127.0.0.1:" + port);

    assertThat(captured.err())
        .isEqualTo("holdfast: cannot reach 127.0.0.1:" + port + ": Connection refused\n");
    assertThat(captured.out()).isEmpty();
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void aNameThatDoesNotResolveIsAnErrorInOneLine() {
    int exitCode = captured.run("xds", "status", "no-such-host.invalid:1");

    assertThat(captured.err())
        .startsWith("holdfast: cannot reach no-such-host.invalid:1: ")
        .containsOnlyOnce("\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void aProcessThatDoesNotAnswerIsNotWaitedForForEver() throws Exception {
    try (FakeCsds csds = FakeCsds.silent()) {
      int exitCode = captured.run("xds", "status", csds.address(), "--timeout", "0.2");

      assertThat(captured.err())
          .isEqualTo(
              "holdfast: no answer from "
                  + csds.address()
                  + " within 0.2 s (--timeout allows for more)\n");
      assertThat(exitCode).isEqualTo(1);
    }
  }

  @Test
  void aServerWithoutCsdsIsAnErrorInOneLine() throws Exception {
    try (FakeCsds csds = FakeCsds.missing()) {
      int exitCode = captured.run("xds", "status", csds.address());

      assertThat(captured.err())
          .isEqualTo(
              "holdfast: "
                  + csds.address()
                  + " does not serve CSDS (expected: a gRPC server with"
                  + " envoy.service.status.v3.ClientStatusDiscoveryService)\n");
      assertThat(exitCode).isEqualTo(1);
    }
  }

  private ClientStatusResponse response() {
    long updated = captured.time().now().minus(Duration.ofSeconds(90)).getEpochSecond();
    GenericXdsConfig shop =
        GenericXdsConfig.newBuilder()
            .setTypeUrl("type.googleapis.com/envoy.config.listener.v3.Listener")
            .setName("shop")
            .setClientStatus(ClientResourceStatus.REQUESTED)
            .build();
    GenericXdsConfig cart =
        GenericXdsConfig.newBuilder()
            .setTypeUrl("type.googleapis.com/envoy.config.cluster.v3.Cluster")
            .setName("cart")
            .setVersionInfo("7")
            .setXdsConfig(Any.pack(Cluster.getDefaultInstance()))
            .setLastUpdated(Timestamp.newBuilder().setSeconds(updated))
            .setClientStatus(ClientResourceStatus.NACKED)
            .setErrorState(UpdateFailureState.newBuilder().setDetails(ERROR).setVersionInfo("8"))
            .build();
    return ClientStatusResponse.newBuilder()
        .addConfig(ClientConfig.newBuilder().setNode(Node.newBuilder().setId("node-2")))
        .addConfig(
            ClientConfig.newBuilder()
                .setNode(Node.newBuilder().setId("node-1"))
                .setClientScope("xds:///shop")
                .addGenericXdsConfigs(shop)
                .addGenericXdsConfigs(cart))
        .build();
  }
}
