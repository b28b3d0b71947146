// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.xds.client.Resource;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The exact lines, which are a contract with programs. */
class JsonWatchOutputTest {
  private static final ResourceKey KEY = new ResourceKey(TypeAlias.CLUSTER, "a/b");

  private final CapturedOutput captured = new CapturedOutput();
  private final JsonWatchOutput output = new JsonWatchOutput(captured.console(), captured.time());

  @Test
  void aResource() {
    Message cluster = Cluster.newBuilder().setName("a/b").build();

    output.resourceChanged(KEY, StatusOr.fromValue(new Resource<>("a/b", "7", cluster)));

    assertThat(captured.out())
        .isEqualTo(
            "{\"time\":\"2030-01-01T00:00:00.000Z\",\"type\":\"cluster\",\"name\":\"a/b\","
                + "\"event\":\"resource_changed\",\"status\":{\"code\":\"OK\",\"message\":\"\"},"
                + "\"version\":\"7\",\"resource\":{\"name\":\"a/b\"}}\n");
  }

  @Test
  void theReasonWhyThereIsNone() {
    output.resourceChanged(
        KEY, StatusOr.fromStatus(Status.NOT_FOUND.withDescription("not <there>\n(node ID:n)")));

    assertThat(captured.out())
        .isEqualTo(
            "{\"time\":\"2030-01-01T00:00:00.000Z\",\"type\":\"cluster\",\"name\":\"a/b\","
                + "\"event\":\"resource_changed\",\"status\":{\"code\":\"NOT_FOUND\","
                + "\"message\":\"not <there>\\n(node ID:n)\"}}\n");
  }

  @Test
  void anAmbientErrorAndItsEnd() {
    output.ambientError(KEY, Status.UNAVAILABLE.withDescription("gone"));
    output.ambientError(KEY, Status.OK);

    assertThat(captured.lines())
        .containsExactly(
            "{\"time\":\"2030-01-01T00:00:00.000Z\",\"type\":\"cluster\",\"name\":\"a/b\","
                + "\"event\":\"ambient_error\",\"status\":{\"code\":\"UNAVAILABLE\","
                + "\"message\":\"gone\"}}",
            "{\"time\":\"2030-01-01T00:00:00.000Z\",\"type\":\"cluster\",\"name\":\"a/b\","
                + "\"event\":\"ambient_error\",\"status\":{\"code\":\"OK\",\"message\":\"\"}}");
  }

  @Test
  void aDump() {
    Instant time = Instant.parse("2029-12-31T23:59:00Z");
    output.dump(
        List.of(
            new Entry(
                "cluster",
                "a",
                "NACKED",
                "nacked_but_cached",
                "7",
                true,
                new Entry.Problem("INVALID_ARGUMENT", "no name"),
                time),
            new Entry("route", "r", "REQUESTED", "requested", null, false, null, null)));

    assertThat(captured.out())
        .isEqualTo(
            "{\"event\":\"dump\",\"entries\":[{\"type\":\"cluster\",\"name\":\"a\","
                + "\"state\":\"NACKED\",\"cache_state\":\"nacked_but_cached\",\"version\":\"7\","
                + "\"cached\":true,\"error\":{\"code\":\"INVALID_ARGUMENT\","
                + "\"message\":\"no name\"},\"last_updated\":\"2029-12-31T23:59:00.000Z\"},"
                + "{\"type\":\"route\",\"name\":\"r\",\"state\":\"REQUESTED\","
                + "\"cache_state\":\"requested\",\"version\":null,\"cached\":false,"
                + "\"error\":null,\"last_updated\":null}]}\n");
  }

  @Test
  void aDumpOfNothing() {
    output.dump(List.of());

    assertThat(captured.out()).isEqualTo("{\"event\":\"dump\",\"entries\":[]}\n");
  }
}
