// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.testkit.DeltaResponse;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code holdfast xds watch} against a server on a socket. */
class XdsWatchTest {
  private final FakeAdsServer server = FakeAdsServer.start();

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Test
  void aResourceIsShownWithItsVersion() throws Exception {
    try (RunningWatch watch = watch("cluster/a")) {
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
      DiscoveryRequest request = stream.awaitRequest();
      stream.send(clusters("7", Resources.edsCluster("a")));

      JsonObject line = watch.json();

      assertThat(request.getNode().getId()).isEqualTo("me");
      assertThat(request.getNode().getUserAgentName()).isNotEmpty();
      assertThat(line.keySet())
          .containsExactly("time", "type", "name", "event", "status", "version", "resource");
      assertThat(line.get("time").getAsString()).matches("20..-..-..T..:..:..\\....Z");
      assertThat(line.get("version").getAsString()).isEqualTo("7");
      assertThat(line.getAsJsonObject("resource").get("edsClusterConfig")).isNotNull();
      assertThat(describe(line)).isEqualTo("cluster/a resource_changed OK");
    }
  }

  @Test
  void aSecondWatcherHearsWhatTheFirstKnowsAndTheNewestIsCancelled() throws Exception {
    try (RunningWatch watch = watch("cluster/a")) {
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
      stream.send(clusters("1", Resources.edsCluster("a", "one")));
      watch.line();

      watch.type("watch cluster a");
      assertThat(watch.json().get("version").getAsString()).isEqualTo("1");

      stream.send(clusters("2", Resources.edsCluster("a", "two")));
      assertThat(watch.json().get("version").getAsString()).isEqualTo("2");
      assertThat(watch.json().get("version").getAsString()).isEqualTo("2");

      watch.type("cancel cluster a");
      assertThat(entries(watch.dump())).hasSize(1);
      stream.send(clusters("3", Resources.edsCluster("a", "three")));
      assertThat(watch.json().get("version").getAsString()).isEqualTo("3");

      watch.type("cancel cluster a");
      assertThat(entries(watch.dump())).isEmpty();
      watch.type("cancel cluster a");
      assertThat(watch.errorLine()).isEqualTo("holdfast: cancel cluster/a: no such watch");
      assertThat(watch.unread()).isEmpty();
    }
  }

  @Test
  void aBadUpdateIsAnAmbientErrorThatTheNextGoodOneClears() throws Exception {
    try (RunningWatch watch = watch("cluster/a")) {
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
      Cluster good = Resources.edsCluster("a");
      stream.send(clusters("1", good));
      watch.line();

      stream.send(clusters("2", good.toBuilder().setLbPolicy(Cluster.LbPolicy.MAGLEV).build()));

      JsonObject line = watch.json();
      assertThat(describe(line)).isEqualTo("cluster/a ambient_error INVALID_ARGUMENT");
      assertThat(line.keySet()).containsExactly("time", "type", "name", "event", "status");
      assertThat(message(line)).contains("lb_policy").contains("me");
      JsonObject entry = entries(watch.dump()).get(0).getAsJsonObject();
      assertThat(entry.get("state").getAsString()).isEqualTo("NACKED");
      assertThat(entry.get("cache_state").getAsString()).isEqualTo("nacked_but_cached");
      assertThat(entry.get("version").getAsString()).isEqualTo("1");
      assertThat(entry.getAsJsonObject("error").get("code").getAsString())
          .isEqualTo("INVALID_ARGUMENT");

      stream.send(clusters("3", good));
      assertThat(describe(watch.json())).isEqualTo("cluster/a ambient_error OK");
    }
  }

  @Test
  void whatTheServerRefusesIsShownInItsWords() throws Exception {
    try (RunningWatch watch = watch("cluster/a")) {
      server
          .awaitStream()
          .send(
              SotwResponse.of(TypeUrls.CLUSTER, "1", "n")
                  .withError("a", Status.Code.PERMISSION_DENIED, "not for you")
                  .build());

      JsonObject line = watch.json();
      assertThat(describe(line)).isEqualTo("cluster/a resource_changed PERMISSION_DENIED");
      assertThat(message(line)).contains("not for you");
      JsonObject entry = entries(watch.dump()).get(0).getAsJsonObject();
      assertThat(entry.get("state").getAsString()).isEqualTo("RECEIVED_ERROR");
      assertThat(entry.get("version").isJsonNull()).isTrue();
      assertThat(entry.get("cached").getAsBoolean()).isFalse();
      assertThat(entry.get("last_updated").isJsonNull()).isTrue();
    }
  }

  @Test
  void theFeaturesOfTheServerAreHonoured() throws Exception {
    try (RunningWatch watch =
        RunningWatch.start(
            "--server=" + server.uri(),
            "--server-feature=fail_on_data_errors",
            "-ojson",
            "cluster/a")) {
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
      stream.send(clusters("1", Resources.edsCluster("a")));
      watch.line();

      stream.send(clusters("2"));

      assertThat(describe(watch.json())).isEqualTo("cluster/a resource_changed NOT_FOUND");
    }
  }

  @Test
  void theIncrementalVariantShowsTheSame() throws Exception {
    try (RunningWatch watch =
        RunningWatch.start("--server", server.uri(), "--delta", "-o", "json", "cluster/a")) {
      FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream = server.awaitDeltaStream();
      stream.send(
          DeltaResponse.of(TypeUrls.CLUSTER, "x", "1")
              .with("a", "v1", Resources.edsCluster("a"))
              .build());

      JsonObject line = watch.json();
      assertThat(describe(line)).isEqualTo("cluster/a resource_changed OK");
      assertThat(line.get("version").getAsString()).isEqualTo("v1");

      stream.send(DeltaResponse.of(TypeUrls.CLUSTER, "x", "2").without("a").build());
      assertThat(describe(watch.json())).isEqualTo("cluster/a ambient_error NOT_FOUND");
    }
  }

  @Test
  void aServerThatCannotBeReachedIsShownAndHeals() throws Exception {
    server.stop();
    try (RunningWatch watch = watch("cluster/a")) {
      JsonObject line = watch.json();
      assertThat(describe(line)).isEqualTo("cluster/a resource_changed UNAVAILABLE");
      assertThat(message(line)).contains(server.uri());

      server.restart();
      server.awaitStream().send(clusters("1", Resources.edsCluster("a")));
      assertThat(describe(watch.json())).isEqualTo("cluster/a resource_changed OK");

      server.stop();
      assertThat(describe(watch.json())).isEqualTo("cluster/a ambient_error UNAVAILABLE");

      server.restart();
      server.awaitStream().send(clusters("1", Resources.edsCluster("a")));
      assertThat(describe(watch.json())).isEqualTo("cluster/a ambient_error OK");
    }
  }

  @Test
  void allFourTypesCanBeWatched() throws Exception {
    try (RunningWatch watch = watch("listener/l", "route/r", "cluster/c", "endpoint/e")) {
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();
      stream.send(
          SotwResponse.of(TypeUrls.LISTENER, "1", "n")
              .with(Resources.apiListener("l", "r"))
              .build());
      assertThat(describe(watch.json())).isEqualTo("listener/l resource_changed OK");
      stream.send(
          SotwResponse.of(TypeUrls.ROUTE_CONFIGURATION, "1", "n")
              .with(Resources.routesTo("r", "c"))
              .build());
      assertThat(describe(watch.json())).isEqualTo("route/r resource_changed OK");
      stream.send(clusters("1", Resources.edsCluster("c", "e")));
      assertThat(describe(watch.json())).isEqualTo("cluster/c resource_changed OK");
      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "1", "n")
              .with(Resources.endpoints("e", 80))
              .build());
      assertThat(describe(watch.json())).isEqualTo("endpoint/e resource_changed OK");
      assertThat(entries(watch.dump()))
          .extracting(entry -> entry.getAsJsonObject().get("type").getAsString())
          .containsExactly("cluster", "endpoint", "listener", "route");
    }
  }

  @Test
  void textIsForPeople() throws Exception {
    try (RunningWatch watch = RunningWatch.start("--server", server.uri(), "cluster/a")) {
      server.awaitStream().send(clusters("7", Resources.edsCluster("a", "b")));

      assertThat(watch.line())
          .matches("..:..:..\\....  changed  cluster/a  version 7: EDS, endpoints from b");
      watch.type("dump");
      assertThat(watch.line()).isEqualTo("TYPE     NAME  STATE  VERSION  AGE");
      assertThat(watch.line()).matches("cluster  a     ACKED  7        \\ds");
    }
  }

  @Test
  void aBadCommandIsExplainedAndTheNextOneIsRead() throws Exception {
    try (RunningWatch watch = watch()) {
      watch.type("fly");
      assertThat(watch.errorLine()).startsWith("holdfast: command 'fly' (expected: ");
      assertThat(entries(watch.dump())).isEmpty();
    }
  }

  @Test
  void whatWasAskedBeforeQuitIsPrintedBeforeTheEnd() throws Exception {
    RunningWatch watch = watch("cluster/a");
    watch.type("dump\nquit\ndump");

    assertThat(watch.awaitExit()).isZero();
    assertThat(entries(watch.json())).hasSize(1);
    assertThat(watch.unread()).isEmpty();
  }

  @Test
  void theEndOfTheInputDoesNotEndTheWatchingButTheEndOfTheReaderOfTheOutputDoes() throws Exception {
    RunningWatch watch = watch("cluster/a");
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();

    watch.endInput();
    stream.send(clusters("1", Resources.edsCluster("a", "one")));
    assertThat(describe(watch.json())).isEqualTo("cluster/a resource_changed OK");

    watch.breakOutput();
    stream.send(clusters("2", Resources.edsCluster("a", "two")));
    assertThat(watch.awaitExit()).isEqualTo(1);
  }

  private RunningWatch watch(String... keys) throws Exception {
    String[] arguments = new String[keys.length + 5];
    arguments[0] = "--server";
    arguments[1] = server.uri();
    arguments[2] = "--node-id=me";
    arguments[3] = "-o";
    arguments[4] = "json";
    System.arraycopy(keys, 0, arguments, 5, keys.length);
    return RunningWatch.start(arguments);
  }

  private static DiscoveryResponse clusters(String version, Cluster... clusters) {
    return SotwResponse.of(TypeUrls.CLUSTER, version, "nonce-" + version).with(clusters).build();
  }

  private static String describe(JsonObject line) {
    return line.get("type").getAsString()
        + "/"
        + line.get("name").getAsString()
        + " "
        + line.get("event").getAsString()
        + " "
        + line.getAsJsonObject("status").get("code").getAsString();
  }

  private static String message(JsonObject line) {
    return line.getAsJsonObject("status").get("message").getAsString();
  }

  private static JsonArray entries(JsonObject dump) {
    return dump.getAsJsonArray("entries");
  }
}
