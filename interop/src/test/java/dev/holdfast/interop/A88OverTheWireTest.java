// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static dev.holdfast.testkit.TypeUrls.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * gRFC A88's table of behaviours over a socket, as {@code holdfast xds watch -o json} tells it:
 * what the first watcher hears, what the dump shows, what a second watcher is told when it comes,
 * and that all of it is over when the server sends the resource again.
 */
@Execution(ExecutionMode.CONCURRENT)
class A88OverTheWireTest {
  private static final String KEY = "cluster/x";
  private static final Cluster GOOD = Resources.edsCluster("x", "one");
  private static final Cluster BAD = GOOD.toBuilder().setType(Cluster.DiscoveryType.STATIC).build();

  /** error, cached, fail_on_data_errors, switch, event, code, cache_state. */
  private static final String TABLE =
      """
      unreachable | no  | no  | on  | resource_changed | UNAVAILABLE       | requested
      unreachable | no  | yes | on  | resource_changed | UNAVAILABLE       | requested
      unreachable | no  | no  | off | resource_changed | UNAVAILABLE       | requested
      unreachable | yes | no  | on  | ambient_error    | UNAVAILABLE       | acked
      unreachable | yes | yes | on  | ambient_error    | UNAVAILABLE       | acked
      unreachable | yes | yes | off | ambient_error    | UNAVAILABLE       | acked
      stream      | no  | no  | on  | resource_changed | UNAVAILABLE       | requested
      stream      | no  | yes | on  | resource_changed | UNAVAILABLE       | requested
      stream      | yes | no  | on  | ambient_error    | UNAVAILABLE       | acked
      stream      | yes | yes | on  | ambient_error    | UNAVAILABLE       | acked
      stream      | yes | yes | off | ambient_error    | UNAVAILABLE       | acked
      nack        | no  | no  | on  | resource_changed | INVALID_ARGUMENT  | nacked
      nack        | no  | yes | on  | resource_changed | INVALID_ARGUMENT  | nacked
      nack        | yes | no  | on  | ambient_error    | INVALID_ARGUMENT  | nacked_but_cached
      nack        | yes | yes | on  | resource_changed | INVALID_ARGUMENT  | nacked
      nack        | yes | yes | off | ambient_error    | INVALID_ARGUMENT  | nacked_but_cached
      deletion    | yes | no  | on  | ambient_error    | NOT_FOUND         | does_not_exist_but_cached
      deletion    | yes | yes | on  | resource_changed | NOT_FOUND         | does_not_exist
      deletion    | yes | no  | off | resource_changed | NOT_FOUND         | does_not_exist
      deletion    | yes | yes | off | resource_changed | NOT_FOUND         | does_not_exist
      error 5     | no  | no  | on  | resource_changed | NOT_FOUND         | received_error
      error 5     | no  | yes | on  | resource_changed | NOT_FOUND         | received_error
      error 5     | yes | no  | on  | ambient_error    | NOT_FOUND         | received_error_but_cached
      error 5     | yes | yes | on  | resource_changed | NOT_FOUND         | received_error
      error 7     | no  | no  | on  | resource_changed | PERMISSION_DENIED | received_error
      error 7     | yes | no  | on  | ambient_error    | PERMISSION_DENIED | received_error_but_cached
      error 7     | yes | yes | on  | resource_changed | PERMISSION_DENIED | received_error
      error 8     | no  | yes | on  | resource_changed | RESOURCE_EXHAUSTED| received_error
      error 8     | yes | no  | on  | ambient_error    | RESOURCE_EXHAUSTED| received_error_but_cached
      error 8     | yes | yes | on  | ambient_error    | RESOURCE_EXHAUSTED| received_error_but_cached
      error 99    | yes | yes | on  | ambient_error    | UNKNOWN           | received_error_but_cached
      """;

  record Row(
      boolean delta,
      String error,
      boolean cached,
      boolean failOnDataErrors,
      boolean enabled,
      String event,
      String code,
      String cacheState) {

    boolean keeps() {
      return event.equals("ambient_error");
    }

    boolean isConnectivity() {
      return error.equals("unreachable") || error.equals("stream");
    }
  }

  static Stream<Row> rows() {
    return Stream.of(false, true)
        .flatMap(
            delta ->
                TABLE
                    .lines()
                    .map(line -> line.strip().split("\\s*\\|\\s*"))
                    .map(
                        cells ->
                            new Row(
                                delta,
                                cells[0],
                                cells[1].equals("yes"),
                                cells[2].equals("yes"),
                                cells[3].equals("on"),
                                cells[4],
                                cells[5],
                                cells[6])));
  }

  private static Reply good(String version) {
    return new Reply(CLUSTER, version).with("x", GOOD);
  }

  private static WatchRun watch(FakeAdsServer server, Row row) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--server", server.uri(), KEY));
    if (row.delta) {
      arguments.add("--delta");
    }
    if (row.failOnDataErrors) {
      arguments.add("--server-feature=fail_on_data_errors");
    }
    return WatchRun.start(
        row.enabled ? Map.of() : Map.of("GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING", "false"),
        arguments);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isToldDumpedReplayedAndOver(Row row) throws Exception {
    try (FakeAdsServer server = FakeAdsServer.start()) {
      if (row.error.equals("unreachable") && !row.cached) {
        server.stop();
      }
      try (WatchRun watch = watch(server, row)) {
        AdsScript stream = cache(server, watch, row);

        provoke(row, server, stream);

        JsonObject told = watch.expect(row.event, row.code);
        assertThat(WatchRun.message(told)).contains("CDS resource x: ", words(row, server));
        JsonObject dumped = watch.dumped(KEY);
        checkDump(row, dumped);

        watch.type("watch cluster x");
        if (row.keeps()) {
          assertThat(watch.expect("resource_changed", "OK").get("version").getAsString())
              .isEqualTo("v1");
        }
        JsonObject replayed = watch.expect(row.event, row.code);
        if (!row.isConnectivity()) { // where a retry may have failed in other words by now
          assertThat(replayed.get("status")).isEqualTo(told.get("status"));
        }

        heal(row, server, stream);

        String over = row.keeps() ? "ambient_error" : "resource_changed";
        watch.expect(over, "OK");
        watch.expect(over, "OK");
        JsonObject healed = watch.dumped(KEY);
        assertThat(healed.get("cache_state").getAsString()).isEqualTo("acked");
        assertThat(healed.get("error").isJsonNull()).isTrue();
      }
    }
  }

  /** Has the client cache the resource, if the row wants that. Null if there is no stream yet. */
  private static @Nullable AdsScript cache(FakeAdsServer server, WatchRun watch, Row row) {
    if (row.error.equals("unreachable") && !row.cached) {
      return null;
    }
    AdsScript stream = AdsScript.next(server, row.delta);
    stream.awaitSubscription(CLUSTER, "x");
    if (row.cached) {
      assertThat(stream.reply(good("v1"))).isEmpty();
      JsonObject first = watch.expect("resource_changed", "OK");
      assertThat(first.get("version").getAsString()).isEqualTo("v1");
      assertThat(first.getAsJsonObject("resource").get("name").getAsString()).isEqualTo("x");
    }
    return stream;
  }

  private static void provoke(Row row, FakeAdsServer server, @Nullable AdsScript open) {
    if (open == null || row.error.equals("unreachable")) {
      server.stop();
    } else {
      provoke(row, server, open, new Reply(CLUSTER, "v2"));
    }
  }

  private static void provoke(Row row, FakeAdsServer server, AdsScript stream, Reply reply) {
    switch (row.error) {
      case "stream" -> {
        AdsScript failing = stream;
        if (row.cached) {
          stream.close(Status.OK); // after a response that is nothing to speak of
          failing = AdsScript.next(server, row.delta);
        }
        failing.close(Status.PERMISSION_DENIED.withDescription("go away"));
      }
      case "nack" ->
          assertThat(stream.reply(reply.with("x", BAD)))
              .contains("resource index 0: x: ", "type: ");
      case "deletion" -> assertThat(stream.reply(reply.without("x"))).isEmpty();
      default -> {
        int code = Integer.parseInt(row.error.substring("error ".length()));
        assertThat(stream.reply(reply.error("x", code, "the server's own words"))).isEmpty();
      }
    }
  }

  private static String words(Row row, FakeAdsServer server) {
    return switch (row.error) {
      case "unreachable" -> "xDS server " + server.uri() + ": ";
      case "stream" -> "go away";
      case "nack" -> "STATIC";
      case "deletion" -> "does not exist";
      case "error 99" -> "code 99: the server's own words";
      default -> "the server's own words";
    };
  }

  private static void checkDump(Row row, JsonObject dumped) {
    boolean cached = row.keeps();
    assertThat(dumped.get("cache_state").getAsString()).isEqualTo(row.cacheState);
    assertThat(dumped.get("state").getAsString())
        .isEqualTo(row.cacheState.replace("_but_cached", "").toUpperCase(Locale.ROOT));
    assertThat(dumped.get("cached").getAsBoolean()).isEqualTo(cached);
    assertThat(dumped.get("version").isJsonNull()).isEqualTo(!cached);
    assertThat(dumped.get("last_updated").isJsonNull()).isEqualTo(!cached);
    if (cached) {
      assertThat(dumped.get("version").getAsString()).isEqualTo("v1");
    }
    if (row.isConnectivity()) {
      assertThat(dumped.get("error").isJsonNull()).isTrue();
    } else {
      JsonObject error = dumped.getAsJsonObject("error");
      assertThat(error.get("code").getAsString()).isEqualTo(row.code);
      assertThat(error.get("message").getAsString()).isNotEmpty();
    }
  }

  private static void heal(Row row, FakeAdsServer server, @Nullable AdsScript stream) {
    if (row.error.equals("unreachable")) {
      server.restart();
    }
    AdsScript healing =
        stream == null || row.isConnectivity() ? AdsScript.next(server, row.delta) : stream;
    assertThat(healing.reply(good("v3"))).isEmpty();
  }
}
