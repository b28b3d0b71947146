// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.controlplane.objects.httpproxy.HeaderValue;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.index.HeaderDefaults;
import dev.holdfast.controlplane.translate.index.Settings;
import dev.holdfast.controlplane.translate.proto.listener.EdgeOptions;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster.ClusterWeight;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the operator decides for all objects. */
class SettingsTest {
  private static final String OUTSIDE =
      YamlObjects.object(
          "v1",
          "Service",
          "out",
          "spec: {type: ExternalName, externalName: db.example.com, ports: [{port: 80}]}");

  private static Translation translation(Settings settings, String yaml) {
    return Translation.empty(TranslationOptions.defaults().with(settings))
        .with(YamlObjects.objects(yaml));
  }

  @Test
  void externalNamesAreOffUnlessTheOperatorAllowsThem() {
    Translation translation = translation(Settings.DEFAULT, OUTSIDE + root("a", routes(to("out"))));

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0]: Service/default/out is not valid",
            "Service/default/out: spec.type: ExternalName, which the server does not allow"
                + " (expected: another type, or the option --external-name-services)");
    assertThat(TranslationText.plain(translation, "a.com")).containsExactly("/* -> 503");
  }

  @Test
  void anExternalNameIsResolvedByTheProxy() {
    Translation translation =
        translation(
            Settings.DEFAULT.withExternalNames(true),
            OUTSIDE
                + root("a", routes(to("out")))
                + proxy(
                    "b",
                    "virtualhost: {fqdn: b.com}, "
                        + routes("{services: [{name: out, port: 80, protocol: tls}]}")));
    Cluster cluster = TranslationText.cluster(translation, "default/out/80");
    SocketAddress address =
        cluster
            .getLoadAssignment()
            .getEndpoints(0)
            .getLbEndpoints(0)
            .getEndpoint()
            .getAddress()
            .getSocketAddress();

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(cluster.getType()).isEqualTo(Cluster.DiscoveryType.STRICT_DNS);
    assertThat(address.getAddress()).isEqualTo("db.example.com");
    assertThat(address.getPortValue()).isEqualTo(80);
    assertThat(TranslationText.names(translation, ResourceType.ENDPOINTS)).isEmpty();
    assertThat(
            TranslationText.cluster(translation, "default/out/80/b")
                .getTransportSocket()
                .getTypedConfig()
                .getValue()
                .toStringUtf8())
        .contains("db.example.com");
    assertThat(TranslationText.grpc(translation))
        .anyMatch(line -> line.contains("ExternalName (gRPC clients need endpoints)"));
  }

  @Test
  void aServiceThatBecomesAnExternalNameChangesItsClusterInPlace() {
    Settings settings = Settings.DEFAULT.withExternalNames(true);
    Translation before =
        translation(
            settings,
            YamlObjects.object("v1", "Service", "out", "spec: {ports: [{port: 80}]}")
                + YamlObjects.slice("out", "out-1", "10.0.0.1")
                + root("a", routes(to("out"))));
    Translation after = before.with(YamlObjects.objects(OUTSIDE));

    assertThat(TranslationText.names(before, ResourceType.ENDPOINTS))
        .containsExactly("default/out/80");
    assertThat(TranslationText.names(after, ResourceType.ENDPOINTS)).isEmpty();
    assertThat(TranslationText.cluster(after, "default/out/80").getType())
        .isEqualTo(Cluster.DiscoveryType.STRICT_DNS);
  }

  @Test
  void headersAreChangedForServicesThatDoNotChangeThemThemselves() {
    HeaderDefaults defaults =
        new HeaderDefaults(
            new HeadersPolicy(List.of(new HeaderValue("X-Env", "prod")), List.of("x-debug")),
            new HeadersPolicy(List.of(new HeaderValue("x-frame-options", "DENY")), List.of()),
            /* ingresses= */ false);
    Translation translation =
        translation(
            Settings.DEFAULT.withHeaders(defaults),
            service("s")
                + root(
                    "a",
                    routes(
                        "{services: [{name: s, port: 80, requestHeadersPolicy: {set: [{name:"
                            + " x-env, value: own}]}}]}"))
                + ingress());
    ClusterWeight weight = weight(translation, "a.com");

    assertThat(weight.getRequestHeadersToAddList())
        .extracting(header -> header.getHeader().getKey() + "=" + header.getHeader().getValue())
        .containsExactly("x-env=own");
    assertThat(weight.getRequestHeadersToRemoveList()).containsExactly("x-debug");
    assertThat(weight.getResponseHeadersToAddList())
        .extracting(header -> header.getHeader().getKey())
        .containsExactly("x-frame-options");
    assertThat(route(translation, "i.com").getResponseHeadersToAddList()).isEmpty();

    Translation ingresses =
        translation(
            Settings.DEFAULT.withHeaders(
                new HeaderDefaults(defaults.request(), defaults.response(), /* ingresses= */ true)),
            service("s") + ingress());
    assertThat(route(ingresses, "i.com").getResponseHeadersToAddList()).hasSize(1);
    assertThat(route(ingresses, "i.com").getRequestHeadersToRemoveList())
        .containsExactly("x-debug");
  }

  private static String ingress() {
    return YamlObjects.object(
        "networking.k8s.io/v1",
        "Ingress",
        "i",
        "spec: {rules: [{host: i.com, http: {paths: [{path: /, pathType: Prefix, backend: {service:"
            + " {name: s, port: {number: 80}}}}]}}]}");
  }

  private static Route route(Translation translation, String host) {
    return TranslationText.table(translation, "ingress_http").getVirtualHostsList().stream()
        .filter(each -> each.getName().equals(host))
        .findFirst()
        .orElseThrow()
        .getRoutes(0);
  }

  private static ClusterWeight weight(Translation translation, String host) {
    return route(translation, host).getRoute().getWeightedClusters().getClusters(0);
  }

  @Test
  void requestsAreTreatedAsTheOperatorSays() throws InvalidProtocolBufferException {
    HttpConnectionManager usual = manager(EdgeOptions.DEFAULT);
    HttpConnectionManager other =
        manager(
            new EdgeOptions(
                /* mergeSlashes= */ false, EdgeOptions.Compression.DISABLED, /* trustedHops= */ 2));

    assertThat(usual.getMergeSlashes()).isTrue();
    assertThat(usual.getXffNumTrustedHops()).isZero();
    assertThat(usual.getHttpFiltersList())
        .extracting(HttpFilter::getName)
        .contains("envoy.filters.http.compressor");
    assertThat(other.getMergeSlashes()).isFalse();
    assertThat(other.getXffNumTrustedHops()).isEqualTo(2);
    assertThat(other.getHttpFiltersList())
        .extracting(HttpFilter::getName)
        .doesNotContain("envoy.filters.http.compressor");
    assertThat(
            manager(new EdgeOptions(true, EdgeOptions.Compression.ZSTD, 0))
                .getHttpFilters(0)
                .getTypedConfig()
                .getValue()
                .toStringUtf8())
        .contains("envoy.extensions.compression.zstd");
  }

  private static HttpConnectionManager manager(EdgeOptions edge)
      throws InvalidProtocolBufferException {
    return HttpConnectionManager.parseFrom(
        TranslationText.listener(
                Translation.empty(TranslationOptions.defaults().with(edge)), "ingress_http")
            .getFilterChains(0)
            .getFilters(0)
            .getTypedConfig()
            .getValue());
  }
}
