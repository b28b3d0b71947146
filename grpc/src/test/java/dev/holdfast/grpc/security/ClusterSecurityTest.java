// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.Env;
import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.CertificateProvider;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.tls.UpstreamTls;
import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.CompositeChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a cluster asks for, what the channel has, and what comes of it. */
class ClusterSecurityTest {
  private final ManualTime time = new ManualTime();
  private final ClusterSecurity security =
      ClusterSecurity.of(
          XdsBootstrap.builder()
              .server(ServerConfig.insecure("xds.example.com:443"))
              .certificateProvider(
                  "files",
                  new CertificateProvider(
                      "file_watcher",
                      Map.of(
                          "ca_certificate_file", "ca.pem",
                          "certificate_file", "cert.pem",
                          "private_key_file", "key.pem")))
              .certificateProvider(
                  "roots",
                  new CertificateProvider("file_watcher", Map.of("ca_certificate_file", "ca.pem")))
              .certificateProvider(
                  "typo",
                  new CertificateProvider("file_watcher", Map.of("refresh_interval", "soon")))
              .certificateProvider(
                  "spiffe",
                  new CertificateProvider(
                      "file_watcher",
                      Map.of(
                          "ca_certificate_file", "ca.pem",
                          "spiffe_trust_bundle_map_file", "bundles.json")))
              .certificateProvider("mesh", new CertificateProvider("mesh_agent", Map.of()))
              .build(),
          new Env(Runnable::run, time, RandomGenerator.getDefault()));
  private final ChannelCredentials ours =
      HoldfastChannelCredentials.create(InsecureChannelCredentials.create());

  @AfterEach
  void close() {
    security.close();
    assertThat(time.pending()).isEmpty();
  }

  private static Cluster asking(String identity, String roots) {
    return Clusters.with(
        new UpstreamTls(
            identity.isEmpty() ? null : provider(identity),
            roots.isEmpty() ? null : provider(roots),
            List.of(),
            "",
            false,
            false),
        Clusters.cluster("c"));
  }

  private static dev.holdfast.xds.resources.tls.CertificateProvider provider(String name) {
    return new dev.holdfast.xds.resources.tls.CertificateProvider(name, "");
  }

  private String refusal(Cluster cluster) {
    return security.of(cluster, () -> ours) instanceof ConnectionSecurity.Refused refused
        ? refused.why()
        : "";
  }

  @Test
  void ourCredentialsDoWhatTheClusterAsksFor() {
    assertThat(security.of(asking("files", "files"), () -> ours))
        .isInstanceOf(ConnectionSecurity.Tls.class)
        .isEqualTo(security.of(asking("files", "files"), () -> ours))
        .isNotEqualTo(security.of(asking("", "files"), () -> ours));
  }

  @Test
  void ourCredentialsAreKnownBehindCallCredentials() {
    ChannelCredentials composed = CompositeChannelCredentials.create(ours, new NoCredentials());
    assertThat(security.of(asking("", "files"), composed::withoutBearerTokens))
        .isInstanceOf(ConnectionSecurity.Tls.class);
  }

  @Test
  void clusterThatAsksForNothingGetsTheFallback() {
    assertThat(security.of(Clusters.cluster("c"), () -> ours))
        .isEqualTo(new ConnectionSecurity.OfChannel());
  }

  @Test
  void providerOfAnotherPluginIsRefused() {
    assertThat(refusal(asking("", "mesh")))
        .isEqualTo(
            "asks for TLS: certificate provider \"mesh\": plugin \"mesh_agent\" (expected:"
                + " file_watcher)");
  }

  @Test
  void settingsThatAreWrongAreRefusedWhereTheyAreUsed() {
    assertThat(refusal(asking("", "typo")))
        .contains("certificate provider \"typo\": config: refresh_interval: \"soon\"");
    assertThat(refusal(asking("", "files"))).isEmpty();
  }

  @Test
  void providerWithoutTheFilesThatAreAskedForIsRefused() {
    assertThat(refusal(asking("roots", "roots")))
        .isEqualTo("asks for TLS: certificate provider \"roots\": certificate_file: not set");
  }

  @Test
  void trustBundlesAreRefusedRatherThanIgnored() {
    assertThat(refusal(asking("", "spiffe")))
        .contains("\"spiffe\": config: spiffe_trust_bundle_map_file: not supported");
  }

  @Test
  void providerThatNobodyConfiguredIsRefused() {
    assertThat(refusal(asking("", "none"))).contains("\"none\": not in the bootstrap");
  }

  @Test
  void ownTlsOfTheApplicationIsLeftAlone() {
    assertThat(security.of(asking("", "mesh"), TlsChannelCredentials::create))
        .isEqualTo(new ConnectionSecurity.OfChannel());
  }

  @Test
  void callCredentialsDoNotBelongIntoTheFallback() {
    ChannelCredentials fallback =
        CompositeChannelCredentials.create(
            InsecureChannelCredentials.create(), new NoCredentials());
    assertThatThrownBy(() -> HoldfastChannelCredentials.create(fallback))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CompositeChannelCredentials.create(HoldfastChannelCredentials");
  }

  @Test
  void nameOfTheEndpointIsSentWithoutItsPort() {
    ClusterTls tls =
        new ClusterTls(
            new UpstreamTls(null, null, List.of(), "shop.example.com", true, false), null, null);
    assertThat(tls.toEndpoint("pod.example.com:443").sni()).isEqualTo("pod.example.com");
    assertThat(tls.toEndpoint("pod.example.com").sni()).isEqualTo("pod.example.com");
    assertThat(tls.toEndpoint("").sni()).isEqualTo("shop.example.com");
  }

  private static final class NoCredentials extends CallCredentials {
    @Override
    public void applyRequestMetadata(
        RequestInfo requestInfo, Executor executor, MetadataApplier applier) {
      applier.apply(new Metadata());
    }
  }
}
