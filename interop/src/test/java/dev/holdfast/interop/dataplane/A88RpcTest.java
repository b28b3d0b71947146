// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * gRFC A88's table, as calls see it: what is kept goes on serving them, and what else goes wrong
 * then says what was wrong before; what is dropped fails them, with the reason.
 */
@Execution(ExecutionMode.CONCURRENT)
class A88RpcTest {
  private final Stage stage = new Stage();
  private final Backend backend = stage.backend("one");

  record Row(AdsProtocol protocol, StageType type, String event, boolean failOnDataErrors) {
    boolean isConnectivity() {
      return event.equals("unreachable") || event.equals("stream");
    }

    boolean keeps() {
      return isConnectivity()
          || event.equals("error 8")
          || event.equals("error 14")
          || !failOnDataErrors;
    }

    /** State of the world has no words for the deletion of other types. */
    boolean canBeSaid() {
      return !event.equals("deletion")
          || protocol == AdsProtocol.DELTA
          || type == StageType.LDS
          || type == StageType.CDS;
    }
  }

  static Stream<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (AdsProtocol protocol : AdsProtocol.values()) {
      for (boolean fail : new boolean[] {false, true}) {
        for (String event : List.of("unreachable", "stream", "error 7", "error 8")) {
          rows.add(new Row(protocol, StageType.CDS, event, fail));
        }
        for (StageType type : StageType.values()) {
          for (String event : List.of("nack", "deletion", "error 5", "error 14")) {
            rows.add(new Row(protocol, type, event, fail));
          }
        }
      }
    }
    return rows.stream().filter(Row::canBeSaid);
  }

  /** What a client cannot have cached yet is not kept whatever the features. */
  static Stream<Row> rowsWithoutCache() {
    return rows()
        .filter(row -> !row.failOnDataErrors)
        .filter(row -> !row.event.equals("deletion") || row.protocol == AdsProtocol.DELTA);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private ManagedChannel channel(Row row) {
    ServerFeature[] features =
        row.failOnDataErrors
            ? new ServerFeature[] {ServerFeature.FAIL_ON_DATA_ERRORS}
            : new ServerFeature[0];
    return stage.channel(options -> options.withProtocol(row.protocol), features);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void withAResourceInUse(Row row) {
    stage.serve(backend);
    ManagedChannel channel = channel(row);
    assertThat(Rpc.call(channel).backend()).isEqualTo("one");

    provoke(row);

    if (row.keeps()) {
      for (int i = 0; i < 20; i++) {
        assertThat(Rpc.call(channel).isOk()).isTrue();
      }
      backend.stop();
      Rpc.Outcome both =
          Stage.awaitCall(channel, "both reasons", outcome -> outcome.text().contains(words(row)));
      assertUnavailable(row, both);
      assertThat(both.text()).as("the server that cannot be reached").contains("127.0.0.1");
      heal(row);
      Rpc.Outcome one =
          Stage.awaitCall(channel, "one reason", outcome -> !outcome.text().contains(words(row)));
      assertThat(one.text()).contains("xDS node ID:" + Stage.NODE);
    } else {
      assertUnavailable(row, Stage.awaitCall(channel, "failure", outcome -> !outcome.isOk()));
      heal(row);
      Stage.awaitBackend(channel, backend);
    }
  }

  @ParameterizedTest
  @MethodSource("rowsWithoutCache")
  void withoutAResource(Row row) {
    stage.serve(backend);
    provoke(row);
    ManagedChannel channel = channel(row);
    assertUnavailable(row, Rpc.call(channel));
    heal(row);
    Stage.awaitBackend(channel, backend);
  }

  private void assertUnavailable(Row row, Rpc.Outcome outcome) {
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text()).contains(words(row), "node ID:" + Stage.NODE);
    if (!row.isConnectivity()) {
      assertThat(outcome.text()).contains(row.type + " resource " + row.type.resource + ": ");
    }
    assertThat(outcome.text().split("node ID:", -1)).as("the node is named once").hasSize(2);
  }

  private void provoke(Row row) {
    switch (row.event) {
      case "unreachable" -> stage.ads.stop();
      case "stream" -> stage.ads.refuse(Status.PERMISSION_DENIED.withDescription("go away"));
      case "nack" -> stage.ads.set(bad(row.type));
      case "deletion" -> stage.ads.remove(row.type.url, row.type.resource);
      default ->
          stage.ads.error(
              row.type.url,
              row.type.resource,
              Integer.parseInt(row.event.substring("error ".length())),
              "the server's own words");
    }
  }

  private String words(Row row) {
    return switch (row.event) {
      case "unreachable" -> "xDS server " + stage.ads.uri();
      case "stream" -> "go away";
      case "nack" -> row.type.complaint;
      case "deletion" -> "does not exist";
      default -> "the server's own words";
    };
  }

  private void heal(Row row) {
    switch (row.event) {
      case "unreachable" -> stage.ads.restart();
      case "stream" -> stage.ads.refuse(Status.OK);
      default -> stage.ads.set(good(row.type));
    }
  }

  private Message good(StageType type) {
    return switch (type) {
      case LDS -> Resources.apiListener("svc", "r");
      case RDS -> Resources.routesTo("r", "c");
      case CDS -> Resources.edsCluster("c");
      case EDS -> Resources.endpoints("c", backend.port());
    };
  }

  private Message bad(StageType type) {
    return switch (type) {
      case LDS ->
          Resources.listener(
              """
              {"name": "svc", "api_listener": {"api_listener": {"@type":
              "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
              }}}
              """);
      case RDS -> Xds.routes(Xds.route("\"retry_policy\": {\"num_retries\": 0}"));
      case CDS ->
          Resources.edsCluster("c").toBuilder().setType(Cluster.DiscoveryType.STATIC).build();
      case EDS -> Xds.endpoints("c", Xds.locality("a", 1, 1, backend));
    };
  }
}
