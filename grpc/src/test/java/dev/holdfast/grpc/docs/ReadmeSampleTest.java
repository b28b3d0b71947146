// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.XdsClientBuilder;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Recorder;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.resources.cluster.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The sample of README.md is the one below, and does what README.md says. */
class ReadmeSampleTest {
  private static final Pattern IN_README =
      Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern IN_THIS_FILE =
      Pattern.compile(
          "^ *// README begins\n(.*?)^ *// README ends$", Pattern.DOTALL | Pattern.MULTILINE);

  // README begins
  static XdsClient watchCart(String server, Consumer<String> log) {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder().nodeId("shop-1").server(ServerConfig.insecure(server)).build();
    XdsTypes types = XdsTypes.of(bootstrap, System.getenv());
    XdsClient client = XdsClientBuilder.forBootstrap(bootstrap).build();
    client.watch(
        types.cluster(),
        "cart",
        new ResourceWatcher<Cluster>() {
          @Override
          public void onResourceChanged(StatusOr<Resource<Cluster>> cluster) {
            log.accept(
                cluster.hasValue()
                    ? "use " + cluster.getValue().value().discovery()
                    : "there is none to use: " + cluster.getStatus().getDescription());
          }

          @Override
          public void onAmbientError(Status status) {
            log.accept(
                status.isOk()
                    ? "all is well again"
                    : "still in use, but: " + status.getDescription());
          }
        });
    return client; // closing it ends all watches and streams
  }

  // README ends

  private final Recorder<String> log = new Recorder<>("line");

  @Test
  void theSampleKeepsAClusterWhoseUpdateIsBad() {
    try (FakeAdsServer server = FakeAdsServer.start()) {
      XdsClient client = watchCart(server.uri(), log::add);
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = server.awaitStream();

      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "1", "a").with(Resources.edsCluster("cart")).build());
      assertThat(log.next()).startsWith("use ").contains("cart");

      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "2", "b")
              .with(Resources.cluster("{\"name\": \"cart\", \"type\": \"ORIGINAL_DST\"}"))
              .build());
      assertThat(log.next()).startsWith("still in use, but: CDS resource cart: invalid: type: ");

      stream.send(
          SotwResponse.of(TypeUrls.CLUSTER, "3", "c").with(Resources.edsCluster("cart")).build());
      assertThat(log.next()).isEqualTo("all is well again");

      client.close();
      assertThat(stream.awaitEnd()).isEqualTo("cancelled");
    }
  }

  @Test
  void theSampleOfTheReadmeIsThisOne() throws IOException {
    Path root = repositoryRoot();
    String here =
        Files.readString(
            root.resolve("grpc/src/test/java/dev/holdfast/grpc/docs/ReadmeSampleTest.java"));

    assertThat(first(IN_README, Files.readString(root.resolve("README.md"))))
        .isEqualTo(first(IN_THIS_FILE, here).stripTrailing().stripIndent() + "\n");
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("a text like %s", pattern).isTrue();
    return matcher.group(1);
  }

  private static Path repositoryRoot() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("mvnw"))) {
        return dir;
      }
    }
    throw new AssertionError("no directory above this one holds mvnw");
  }
}
