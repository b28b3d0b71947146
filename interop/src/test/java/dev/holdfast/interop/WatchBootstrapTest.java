// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static dev.holdfast.testkit.TypeUrls.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bootstrap files with more than one plain server: fallback, authorities, TLS. */
@Execution(ExecutionMode.CONCURRENT)
class WatchBootstrapTest {
  private static final String INSECURE = "{\"type\": \"insecure\"}";

  @TempDir Path files;

  private static String server(FakeAdsServer server, String credentials) {
    return """
        {"server_uri": "%s", "channel_creds": [%s], "server_features": ["xds_v3", "unheard_of"]}
        """
        .formatted(server.uri(), credentials);
  }

  private WatchRun watch(String servers, String authorities, String... more) throws IOException {
    Path file = files.resolve("bootstrap.json");
    Files.writeString(
        file,
        """
        {"node": {"id": "node-7", "locality": {}}, "xds_servers": [%s], "authorities": {%s}}
        """
            .formatted(servers, authorities));
    List<String> arguments = new java.util.ArrayList<>(List.of("--bootstrap", file.toString()));
    arguments.addAll(List.of(more));
    return WatchRun.start(Map.of(), arguments);
  }

  private static Reply cluster(String version, String name, String service) {
    return new Reply(CLUSTER, version).with(name, Resources.edsCluster(name, service));
  }

  private static void expectService(WatchRun watch, String service) {
    assertThat(watch.expect("resource_changed", "OK").get("resource").toString())
        .contains("\"serviceName\":\"" + service + "\"");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSecondServerIsAskedWhileTheFirstIsDownAndLetGoWhenItIsBack(boolean delta)
      throws Exception {
    try (FakeAdsServer primary = FakeAdsServer.start();
        FakeAdsServer secondary = FakeAdsServer.start()) {
      primary.stop();
      String servers = server(primary, INSECURE) + "," + server(secondary, INSECURE);
      try (WatchRun watch =
          delta ? watch(servers, "", "--delta", "cluster/a") : watch(servers, "", "cluster/a")) {
        AdsScript fallback = AdsScript.next(secondary, delta);
        fallback.awaitSubscription(CLUSTER, "a");
        fallback.reply(cluster("s1", "a", "second"));
        expectService(watch, "second"); // and nobody heard of the first one's trouble

        primary.restart();
        AdsScript.next(primary, delta).reply(cluster("p1", "a", "first"));
        expectService(watch, "first");
        assertThat(watch.dumped("cluster/a").get("version").getAsString()).isEqualTo("p1");
      }
    }
  }

  @Test
  void withoutAnyServerTheLastOnesReasonIsTold() throws Exception {
    try (FakeAdsServer primary = FakeAdsServer.start();
        FakeAdsServer secondary = FakeAdsServer.start()) {
      primary.stop();
      secondary.stop();
      String servers = server(primary, INSECURE) + "," + server(secondary, INSECURE);
      try (WatchRun watch = watch(servers, "", "cluster/a")) {
        JsonObject told = watch.expect("resource_changed", "UNAVAILABLE");
        assertThat(WatchRun.message(told))
            .contains("xDS server " + secondary.uri(), "(node ID:node-7)");
      }
    }
  }

  @Test
  void namesGoToTheServersOfTheirAuthority() throws Exception {
    try (FakeAdsServer ours = FakeAdsServer.start();
        FakeAdsServer theirs = FakeAdsServer.start()) {
      String name = "xdstp://acme/envoy.config.cluster.v3.Cluster/a?b=2&a=1";
      String canonical = "xdstp://acme/envoy.config.cluster.v3.Cluster/a?a=1&b=2";
      String authorities = "\"acme\": {\"xds_servers\": [%s]}".formatted(server(theirs, INSECURE));
      try (WatchRun watch =
          watch(server(ours, INSECURE), authorities, "cluster/a", "cluster/" + name)) {
        AdsScript old = AdsScript.next(ours, /* delta= */ false);
        old.awaitSubscription(CLUSTER, "a");
        old.reply(cluster("1", "a", "ours"));
        expectService(watch, "ours");
        AdsScript acme = AdsScript.next(theirs, /* delta= */ false);
        acme.awaitSubscription(CLUSTER, canonical);
        acme.reply(cluster("9", canonical, "theirs"));

        JsonObject told = watch.expect("resource_changed", "OK");

        assertThat(told.get("name").getAsString()).as("as it was asked for").isEqualTo(name);
        watch.type("watch cluster xdstp://nobody/envoy.config.cluster.v3.Cluster/a");
        assertThat(WatchRun.message(watch.expect("resource_changed", "FAILED_PRECONDITION")))
            .contains("\"nobody\" not present in bootstrap config");
        watch.type("watch cluster xdstp:a");
        watch.expect("resource_changed", "INVALID_ARGUMENT");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tlsWorksWithFilesAndWithoutTheRightOnesSaysWhy(boolean mutual) throws Exception {
    TestCa ca = TestCa.create("ours");
    ca.writeTo(files);
    ca.issue("client").writeTo(files);
    try (FakeAdsServer server = FakeAdsServer.start(credentials(ca, mutual))) {
      String tls =
          """
          {"type": "tls", "config": {"ca_certificate_file": "%1$s/ca.pem"%2$s}}
          """
              .formatted(
                  files,
                  mutual
                      ? ", \"certificate_file\": \"%1$s/cert.pem\", \"private_key_file\": \"%1$s/key.pem\""
                          .formatted(files)
                      : "");
      try (WatchRun watch = watch(server(server, tls), "", "cluster/a")) {
        AdsScript.next(server, /* delta= */ false).reply(cluster("1", "a", "s"));
        watch.expect("resource_changed", "OK");
      }

      TestCa.create("theirs").writeTo(files);
      try (WatchRun watch = watch(server(server, tls), "", "cluster/a")) {
        assertThat(WatchRun.message(watch.expect("resource_changed", "UNAVAILABLE")))
            .contains("certification path");
      }
    }
  }

  private static ServerCredentials credentials(TestCa ca, boolean mutual) throws IOException {
    TestCa.Identity identity = ca.issue("server");
    TlsServerCredentials.Builder builder =
        TlsServerCredentials.newBuilder()
            .keyManager(stream(identity.certificatePem()), stream(identity.privateKeyPem()));
    if (mutual) {
      builder
          .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
          .trustManager(stream(ca.certificatePem()));
    }
    return builder.build();
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
