// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Value;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.Authority;
import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each field of a bootstrap means. */
class BootstrapFieldsTest {
  private static final String SERVER =
      "{\"server_uri\": \"xds:1\", \"channel_creds\": [{\"type\": \"insecure\"}]}";

  @Test
  void theSmallestBootstrapNamesAServer() {
    XdsBootstrap bootstrap = read("{\"xds_servers\": [" + SERVER + "]}");

    assertThat(bootstrap.servers()).containsExactly(ServerConfig.insecure("xds:1"));
    assertThat(bootstrap.authorities()).isEmpty();
    assertThat(bootstrap.certificateProviders()).isEmpty();
    assertThat(bootstrap.clientDefaultListenerResourceNameTemplate()).isEqualTo("%s");
    assertThat(bootstrap.serverListenerResourceNameTemplate()).isNull();
  }

  @Test
  void theNodeSaysWhoWeAreAndWeAddWhatWeCanDo() {
    Node node =
        read("""
            {
              "xds_servers": [%s],
              "node": {
                "id": "n", "cluster": "c", "user_agent_name": "ignored", "unknown": 1,
                "locality": {"region": "r", "zone": "z", "sub_zone": "s"},
                "metadata": {"a": "b", "n": 1.5, "t": true, "o": {"x": null}, "l": ["y"]}
              }
            }
            """
                .formatted(SERVER))
            .node();

    assertThat(node.getId()).isEqualTo("n");
    assertThat(node.getCluster()).isEqualTo("c");
    assertThat(node.getLocality().getRegion()).isEqualTo("r");
    assertThat(node.getLocality().getZone()).isEqualTo("z");
    assertThat(node.getLocality().getSubZone()).isEqualTo("s");
    Map<String, Value> metadata = node.getMetadata().getFieldsMap();
    assertThat(metadata.get("a")).isEqualTo(Value.newBuilder().setStringValue("b").build());
    assertThat(metadata.get("n")).isEqualTo(Value.newBuilder().setNumberValue(1.5).build());
    assertThat(metadata.get("t")).isEqualTo(Value.newBuilder().setBoolValue(true).build());
    assertThat(node.getMetadata().getFieldsOrThrow("o").getStructValue().getFieldsOrThrow("x"))
        .isEqualTo(Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build());
    assertThat(metadata.get("l"))
        .isEqualTo(
            Value.newBuilder()
                .setListValue(
                    ListValue.newBuilder().addValues(Value.newBuilder().setStringValue("y")))
                .build());
    assertThat(node.getUserAgentName()).isEqualTo("holdfast-java");
    assertThat(node.getUserAgentVersion()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(node.getClientFeaturesList())
        .containsExactly(
            "envoy.lb.does_not_support_overprovisioning", "xds.config.resource-in-sotw");
  }

  @Test
  void theLocalityMayBeSpelledAsJsonOfAMessage() {
    Node node =
        read("""
            {"xds_servers": [%s], "node": {"locality": {"subZone": "s"}}}
            """
                .formatted(SERVER))
            .node();

    assertThat(node.getLocality().getSubZone()).isEqualTo("s");
  }

  @Test
  void serversAreInOrderOfPreferenceAndCountOnce() {
    String other = SERVER.replace("xds:1", "xds:2");
    XdsBootstrap bootstrap =
        read("{\"xds_servers\": [%s, %s, %s]}".formatted(SERVER, other, SERVER));

    assertThat(bootstrap.servers())
        .containsExactly(ServerConfig.insecure("xds:1"), ServerConfig.insecure("xds:2"));
  }

  /** C91. */
  @Test
  void c91KnownServerFeaturesAreTakenAndOthersIgnored() {
    XdsBootstrap bootstrap =
        read(
            """
            {"xds_servers": [{
              "server_uri": "xds:1", "channel_creds": [{"type": "insecure"}],
              "server_features": [
                "fail_on_data_errors", "from_the_future", "resource_timer_is_transient_error",
                "ignore_resource_deletion", "xds_v3", {"also": "unknown"}, "trusted_xds_server"
              ]
            }]}
            """);

    assertThat(bootstrap.servers().get(0).features())
        .containsExactlyInAnyOrder(ServerFeature.values());
  }

  @Test
  void callCredentialsThatAreKnownAreTakenAndOthersIgnored() {
    XdsBootstrap bootstrap =
        read(
            """
            {"xds_servers": [{
              "server_uri": "xds:1", "channel_creds": [{"type": "tls"}],
              "call_creds": [
                {"type": "from_the_future", "config": {"key": 7}},
                {"type": "jwt_token_file", "config": {"jwt_token_file": "/var/token.jwt"}}
              ]
            }]}
            """);

    assertThat(bootstrap.servers().get(0).callCredentials())
        .containsExactly(
            new Credentials("jwt_token_file", Map.of("jwt_token_file", "/var/token.jwt")));
  }

  @Test
  void theOtherSpellingOfTheTimerFeatureIsKnownToo() {
    XdsBootstrap bootstrap =
        read(
            """
            {"xds_servers": [{
              "server_uri": "xds:1", "channel_creds": [{"type": "insecure"}],
              "server_features": ["resource_timer_is_transient_failure"]
            }]}
            """);

    assertThat(bootstrap.servers().get(0).features())
        .isEqualTo(Set.of(ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR));
  }

  @Test
  void theFirstCredentialsThatWeSupportAreUsed() {
    XdsBootstrap bootstrap =
        read(
            """
            {"xds_servers": [{
              "server_uri": "xds:1",
              "channel_creds": [
                {"type": "carrier_pigeon", "config": "whatever"},
                {"type": "tls", "config": {
                  "ca_certificate_file": "/ca", "certificate_file": "/c", "private_key_file": "/k",
                  "refresh_interval": "1.5s", "later": null, "unknown": [1, {"x": true}]
                }},
                {"type": "insecure"}
              ]
            }]}
            """);

    Credentials credentials = bootstrap.servers().get(0).credentials();
    assertThat(credentials.type()).isEqualTo("tls");
    assertThat(credentials.config())
        .isEqualTo(
            Map.of(
                "ca_certificate_file", "/ca",
                "certificate_file", "/c",
                "private_key_file", "/k",
                "refresh_interval", "1.5s",
                "unknown", List.of(1.0, Map.of("x", true))));
  }

  @Test
  void authoritiesHaveServersTemplatesAndConditionsOfTheirOwn() {
    XdsBootstrap bootstrap =
        read(
            """
            {
              "xds_servers": [%s],
              "client_default_listener_resource_name_template": "xdstp://a/%%s",
              "server_listener_resource_name_template": "grpc/server?%%s",
              "authorities": {
                "a": {
                  "client_listener_resource_name_template": "xdstp://a/x/%%s",
                  "fallback_on_reachability_only": true,
                  "xds_servers": [%s]
                },
                "b": {},
                "": {}
              }
            }
            """
                .formatted(SERVER, SERVER.replace("xds:1", "xds:2")));

    assertThat(bootstrap.clientDefaultListenerResourceNameTemplate()).isEqualTo("xdstp://a/%s");
    assertThat(bootstrap.serverListenerResourceNameTemplate()).isEqualTo("grpc/server?%s");
    assertThat(bootstrap.authorities())
        .isEqualTo(
            Map.of(
                "a",
                new Authority(List.of(ServerConfig.insecure("xds:2")), true, "xdstp://a/x/%s"),
                "b",
                new Authority(List.of(), false, null),
                "",
                new Authority(List.of(), false, null)));
    assertThat(bootstrap.clientListenerResourceNameTemplate("a")).isEqualTo("xdstp://a/x/%s");
    assertThat(bootstrap.clientListenerResourceNameTemplate("b"))
        .isEqualTo("xdstp://b/envoy.config.listener.v3.Listener/%s");
    assertThat(bootstrap.clientListenerResourceNameTemplate("c")).isNull();
  }

  @Test
  void certificateProvidersAreKeptForTheDataPlane() {
    XdsBootstrap bootstrap =
        read(
            """
            {
              "xds_servers": [%s],
              "certificate_providers": {
                "default": {"plugin_name": "file_watcher", "config": {"certificate_file": "/c"}},
                "other": {"plugin_name": "mesh_ca"}
              }
            }
            """
                .formatted(SERVER));

    assertThat(bootstrap.certificateProviders())
        .isEqualTo(
            Map.of(
                "default",
                new XdsBootstrap.CertificateProvider(
                    "file_watcher", Map.of("certificate_file", "/c")),
                "other",
                new XdsBootstrap.CertificateProvider("mesh_ca", Map.of())));
  }

  @Test
  void theClientGetsTheNodeTheServersAndTheAuthorities() {
    XdsBootstrap bootstrap =
        read(
            """
            {
              "xds_servers": [%s], "node": {"id": "n"},
              "authorities": {"a": {"fallback_on_reachability_only": true}}
            }
            """
                .formatted(SERVER));
    Behaviour behaviour = Behaviour.defaults().withFederation(false);

    XdsClientConfig config = bootstrap.toClientConfig(AdsProtocol.DELTA, behaviour);

    assertThat(config.node()).isEqualTo(bootstrap.node());
    assertThat(config.servers()).isEqualTo(bootstrap.servers());
    assertThat(config.authorities())
        .isEqualTo(
            Map.of("a", new AuthorityConfig(List.of(), /* fallbackOnReachabilityOnly= */ true)));
    assertThat(config.protocol()).isEqualTo(AdsProtocol.DELTA);
    assertThat(config.behaviour()).isEqualTo(behaviour);
  }

  private static XdsBootstrap read(String json) {
    return XdsBootstrap.fromJson(json, "test");
  }
}
