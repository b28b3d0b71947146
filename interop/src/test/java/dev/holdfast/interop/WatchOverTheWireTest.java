// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static dev.holdfast.testkit.TypeUrls.CLUSTER;
import static dev.holdfast.testkit.TypeUrls.CLUSTER_LOAD_ASSIGNMENT;
import static dev.holdfast.testkit.TypeUrls.LISTENER;
import static dev.holdfast.testkit.TypeUrls.ROUTE_CONFIGURATION;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What A88's table leaves open, over a socket: who is told, when, in which words, and how often.
 */
@Execution(ExecutionMode.CONCURRENT)
class WatchOverTheWireTest {
  private final FakeAdsServer server = FakeAdsServer.start();

  @AfterEach
  void stopServer() {
    server.close();
  }

  private WatchRun watch(boolean delta, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--server", server.uri()));
    if (delta) {
      arguments.add("--delta");
    }
    arguments.addAll(List.of(more));
    return WatchRun.start(java.util.Map.of(), arguments);
  }

  private static Reply clusters(String version, String... names) {
    Reply reply = new Reply(CLUSTER, version);
    for (String name : names) {
      reply.with(name, Resources.edsCluster(name));
    }
    return reply;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMissingNameIsToldByTheServerAtOnceAndRemembered(boolean delta) throws Exception {
    try (WatchRun watch = watch(delta, "cluster/a", "cluster/typo")) {
      AdsScript stream = AdsScript.next(server, delta);
      stream.awaitSubscription(CLUSTER, "typo");

      stream.reply(clusters("1", "a").error("typo", 5, "no cluster typo; did you mean a?"));

      JsonObject told = watch.expect("cluster/typo", "resource_changed", "NOT_FOUND");
      // Whoever waits for the timer of 15 s is told in the client's own words.
      assertThat(WatchRun.message(told))
          .contains("did you mean a?")
          .doesNotContain("did not send it");

      stream.reply(clusters("2", "a")); // says nothing of it: nothing new
      assertThat(watch.cacheState("cluster/typo")).isEqualTo("received_error");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void malformedErrorsAreRefusedByIndexAndToldToNobody(boolean delta) throws Exception {
    try (WatchRun watch = watch(delta, "cluster/a", "cluster/b")) {
      AdsScript stream = AdsScript.next(server, delta);
      stream.awaitSubscription(CLUSTER, "b");

      String nack =
          stream.reply(
              new Reply(CLUSTER, "1")
                  .error("b", 14, "busy")
                  .error("a", 0, "fine, really")
                  .error(
                      ResourceError.newBuilder()
                          .setResourceName(ResourceName.newBuilder().setName("a"))
                          .build())
                  .error(ResourceError.getDefaultInstance()));

      assertThat(nack)
          .contains(
              "resource_errors index 1: a: error_detail must be non-OK",
              "resource_errors index 2: a: error_detail must be non-OK",
              "resource_errors index 3: resource_name unset")
          .doesNotContain("index 0");
      watch.expect("cluster/b", "resource_changed", "UNAVAILABLE"); // the good one counts
      assertThat(watch.cacheState("cluster/a")).isEqualTo("requested");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEntryThatCannotBeDecodedDeletesNothing(boolean delta) throws Exception {
    try (WatchRun watch =
        watch(delta, "--server-feature", "fail_on_data_errors", "cluster/a", "cluster/b")) {
      AdsScript stream = AdsScript.next(server, delta);
      stream.awaitSubscription(CLUSTER, "b");
      stream.reply(clusters("1", "a", "b"));
      watch.expect("resource_changed", "OK");
      watch.expect("resource_changed", "OK");

      Any garbage =
          Any.newBuilder().setTypeUrl(CLUSTER).setValue(ByteString.fromHex("ffffff")).build();
      String nack = stream.reply(clusters("2", "a").withAny("", garbage));

      assertThat(nack).contains("resource index 1");
      assertThat(watch.cacheState("cluster/a")).isEqualTo("acked");
      assertThat(watch.cacheState("cluster/b")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyWatcherHearsEverythingAndCancelEndsTheNewest(boolean delta) throws Exception {
    try (WatchRun watch = watch(delta, "cluster/a")) {
      AdsScript stream = AdsScript.next(server, delta);
      stream.awaitSubscription(CLUSTER, "a");
      stream.reply(clusters("1", "a"));
      watch.expect("resource_changed", "OK");
      watch.type("watch cluster a");
      watch.expect("resource_changed", "OK");

      stream.reply(new Reply(CLUSTER, "2").without("a"));
      watch.expect("ambient_error", "NOT_FOUND");
      watch.expect("ambient_error", "NOT_FOUND");
      watch.type("cancel cluster a");
      watch.dumped("cluster/a");

      stream.reply(clusters("3", "a"));
      watch.expect("ambient_error", "OK");
      watch.dumped("cluster/a"); // nothing came between

      watch.type("cancel cluster a");
      watch.type("cancel cluster a");
      assertThat(watch.errorLine()).isEqualTo("holdfast: cancel cluster/a: no such watch");
      stream.awaitEnd(); // as nobody is left
      watch.type("watch cluster a");
      AdsScript again = AdsScript.next(server, delta);
      again.awaitSubscription(CLUSTER, "a");
      again.reply(clusters("3", "a"));
      watch.expect("resource_changed", "OK");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOutageIsOverAlsoForTypesThatAreNotSentAgain(boolean delta) throws Exception {
    try (WatchRun watch = watch(delta, "listener/l", "route/r", "cluster/c", "endpoint/e")) {
      AdsScript stream = AdsScript.next(server, delta);
      stream.reply(new Reply(LISTENER, "1").with("l", Resources.apiListener("l", "r")));
      stream.reply(new Reply(ROUTE_CONFIGURATION, "1").with("r", Resources.routesTo("r", "c")));
      stream.reply(clusters("1", "c"));
      stream.reply(new Reply(CLUSTER_LOAD_ASSIGNMENT, "1").with("e", Resources.endpoints("e", 80)));
      for (int i = 0; i < 4; i++) {
        watch.expect("resource_changed", "OK");
      }

      server.stop();
      for (int i = 0; i < 4; i++) {
        assertThat(WatchRun.message(watch.expect("ambient_error", "UNAVAILABLE")))
            .containsAnyOf("Connection refused: /127.0.0.1:", "shutdown", "closed");
      }
      server.restart();
      AdsScript.next(server, delta).reply(clusters("1", "c"));

      for (int i = 0; i < 4; i++) {
        watch.expect("ambient_error", "OK");
      }
      assertThat(watch.cacheState("endpoint/e")).isEqualTo("acked");
    }
  }

  @Test
  void aServerThatIsNotThereYetSaysWhyAndHeals() throws Exception {
    server.stop();
    try (WatchRun watch = watch(/* delta= */ false, "cluster/a")) {
      assertThat(WatchRun.message(watch.expect("resource_changed", "UNAVAILABLE")))
          .isEqualTo(
              "CDS resource a: xDS server %s: ADS stream failed before any response: UNAVAILABLE: "
                      .formatted(server.uri())
                  + "Connection refused: /%s (node ID:holdfast-cli)".formatted(server.uri()));
      server.restart();
      AdsScript.next(server, /* delta= */ false).reply(clusters("1", "a"));
      watch.expect("resource_changed", "OK");
    }
  }

  @Test
  void aServerThatHangsUpAfterEachResponseIsNotHammered() throws Exception {
    try (WatchRun watch = watch(/* delta= */ false, "cluster/a")) {
      Instant end = Instant.now().plusSeconds(5);
      AdsScript.next(server, /* delta= */ false).reply(clusters("1", "a"));
      watch.expect("resource_changed", "OK");
      Thread hangUp =
          new Thread(
              () -> {
                try {
                  while (Instant.now().isBefore(end)) {
                    AdsScript stream = AdsScript.next(server, /* delta= */ false);
                    stream.awaitSubscription(CLUSTER, "a");
                    stream.reply(clusters("1", "a"));
                    stream.close(Status.OK);
                  }
                } catch (AssertionError e) {
                  // Nobody came any more: the test was over before its last stream.
                }
              });
      hangUp.setDaemon(true);
      // The first stream, too, dies young.
      server.stop();
      server.restart();
      hangUp.start();
      Awaitility.await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(30))
          .until(() -> Instant.now().isAfter(end) && server.streamCount() >= 2);

      assertThat(server.streamCount()).isLessThanOrEqualTo(6);
      assertThat(watch.cacheState("cluster/a")).isEqualTo("acked");
    }
  }

  @Test
  void aResponseOfTwentyMebibytesArrives() throws Exception {
    try (WatchRun watch = watch(/* delta= */ false, "cluster/c7")) {
      Reply reply = new Reply(CLUSTER, "1");
      String padding = "p".repeat(10_000);
      for (int i = 0; i < 2_100; i++) {
        reply.with("c" + i, Resources.edsCluster("c" + i, padding));
      }
      AdsScript stream = AdsScript.next(server, /* delta= */ false);
      stream.awaitSubscription(CLUSTER, "c7");
      assertThat(stream.reply(reply)).isEmpty();

      watch.expect("resource_changed", "OK");
      for (int i = 0; i < 2_100; i += 300) {
        watch.type("watch cluster c" + i);
      }
      stream.awaitSubscription(CLUSTER, "c1800");
      assertThat(stream.reply(reply)).isEmpty();
      for (int i = 0; i < 7; i++) {
        watch.expect("resource_changed", "OK");
      }
    }
  }

  @Test
  void aMessageOfATypeThatWeDoNotKnowIsShownAsItIs() throws Exception {
    try (WatchRun watch = watch(/* delta= */ false, "cluster/a")) {
      Cluster odd =
          Resources.edsCluster("a").toBuilder()
              .setMetadata(
                  Metadata.newBuilder()
                      .putTypedFilterMetadata(
                          "acme",
                          Any.newBuilder()
                              .setTypeUrl("type.googleapis.com/acme.Unheard")
                              .setValue(ByteString.copyFromUtf8("x"))
                              .build()))
              .build();
      AdsScript.next(server, /* delta= */ false).reply(new Reply(CLUSTER, "1").with("a", odd));

      JsonObject resource = watch.expect("resource_changed", "OK").getAsJsonObject("resource");

      assertThat(resource.toString()).contains("type.googleapis.com/acme.Unheard", "eA==");
    }
  }
}
