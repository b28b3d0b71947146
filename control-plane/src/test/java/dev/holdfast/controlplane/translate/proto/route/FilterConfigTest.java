// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filter configuration of virtual hosts and routes. */
class FilterConfigTest {
  private static <T extends Message> T only(Map<String, Any> configs, String name, Class<T> type) {
    assertThat(configs).containsOnlyKeys(name);
    return Text.unpack(configs.getOrDefault(name, Any.getDefaultInstance()), type);
  }

  private static LocalRateLimit limit(String yaml) {
    return only(
        FilterConfigs.of(YamlFixtures.host("rateLimitPolicy: {local: {" + yaml + "}}")),
        "envoy.filters.http.local_ratelimit",
        LocalRateLimit.class);
  }

  @Test
  void rateLimitIsEnforced() {
    assertThat(Text.of(limit("requests: 10, unit: second")))
        .isEqualTo(
            "stat_prefix: \"vhost.shop.example\" status { code: TooManyRequests } token_bucket {"
                + " max_tokens: 10 tokens_per_fill { value: 10 } fill_interval { seconds: 1 } }"
                + " filter_enabled { default_value { numerator: 100 } } filter_enforced {"
                + " default_value { numerator: 100 } }");
  }

  @ParameterizedTest
  @CsvSource({"second,1", "minute,60", "hour,3600"})
  void burstIsAddedToTheRequestsPerUnit(String unit, int seconds) {
    assertThat(Text.of(limit("requests: 10, burst: 5, unit: " + unit).getTokenBucket()))
        .isEqualTo(
            "max_tokens: 15 tokens_per_fill { value: 10 } fill_interval { seconds: "
                + seconds
                + " }");
  }

  @Test
  void limitedRequestsGetStatusAndHeaders() {
    LocalRateLimit limit =
        limit(
            "requests: 1, unit: hour, responseStatusCode: 503, responseHeadersToAdd: [{name: X-L,"
                + " value: 100%}]");

    assertThat(limit.getStatus().getCodeValue()).isEqualTo(503);
    assertThat(Text.of(limit.getResponseHeadersToAdd(0)))
        .isEqualTo(
            "header { key: \"X-L\" value: \"100%%\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD");
  }

  @Test
  void routeHasItsOwnRateLimit() {
    io.envoyproxy.envoy.config.route.v3.Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80}], rateLimitPolicy: {local: {requests: 3, unit:"
                + " minute}}");

    assertThat(
            only(
                    route.getTypedPerFilterConfigMap(),
                    "envoy.filters.http.local_ratelimit",
                    LocalRateLimit.class)
                .getTokenBucket()
                .getMaxTokens())
        .isEqualTo(3);
  }

  @Test
  void ipFilterMatchesPeerOrRemoteAddress() {
    RBACPerRoute allow =
        only(
            FilterConfigs.of(
                YamlFixtures.host(
                    "ipAllowPolicy: [{source: Peer, cidr: 10.0.0.0/8}, {source: Remote, cidr:"
                        + " '::1'}]")),
            "envoy.filters.http.rbac",
            RBACPerRoute.class);

    assertThat(Text.of(allow))
        .isEqualTo(
            "rbac { rules { policies { key: \"ip-rules\" value { permissions { any: true }"
                + " principals { direct_remote_ip { address_prefix: \"10.0.0.0\" prefix_len {"
                + " value: 8 } } } principals { remote_ip { address_prefix: \"::1\" prefix_len {"
                + " value: 128 } } } } } } }");
  }

  @Test
  void denyListOfARouteAllowsOthers() {
    io.envoyproxy.envoy.config.route.v3.Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80}], ipDenyPolicy: [{source: Peer, cidr: 1.2.3.4}]");

    RBACPerRoute deny =
        only(route.getTypedPerFilterConfigMap(), "envoy.filters.http.rbac", RBACPerRoute.class);
    assertThat(Text.of(deny))
        .isEqualTo(
            "rbac { rules { action: DENY policies { key: \"ip-rules\" value { permissions { any:"
                + " true } principals { direct_remote_ip { address_prefix: \"1.2.3.4\" prefix_len"
                + " { value: 32 } } } } } } }");
  }

  private static CorsPolicy cors(String yaml) {
    return only(
        FilterConfigs.of(
            YamlFixtures.host(
                "corsPolicy: {allowOrigin: ['*'], allowMethods: [GET, POST]" + yaml + "}")),
        "envoy.filters.http.cors",
        CorsPolicy.class);
  }

  @Test
  void corsPolicyIsTranslated() {
    assertThat(Text.of(cors("")))
        .isEqualTo(
            "allow_origin_string_match { exact: \"*\" } allow_methods: \"GET,POST\""
                + " allow_credentials { } allow_private_network_access { }");
    assertThat(
            Text.of(
                cors(
                    ", allowCredentials: true, allowHeaders: [X-A, X-B], exposeHeaders: [X-C,"
                        + " X-D], allowPrivateNetwork: true")))
        .isEqualTo(
            "allow_origin_string_match { exact: \"*\" } allow_methods: \"GET,POST\""
                + " allow_headers: \"X-A,X-B\" expose_headers: \"X-C,X-D\" allow_credentials {"
                + " value: true } allow_private_network_access { value: true }");
  }

  @ParameterizedTest
  @CsvSource({"10m,600", "0s,0", "1500ms,1"})
  void corsMaxAgeIsInSeconds(String written, String seconds) {
    assertThat(cors(", maxAge: " + written).getMaxAge()).isEqualTo(seconds);
  }

  @Test
  void corsOriginsAreExactOrRegex() {
    CorsPolicy policy =
        only(
            FilterConfigs.of(
                YamlFixtures.host(
                    "corsPolicy: {allowMethods: [GET], allowOrigin: ['https://a.b:8443',"
                        + " 'https://.*\\.b']}")),
            "envoy.filters.http.cors",
            CorsPolicy.class);

    assertThat(policy.getAllowOriginStringMatchList().stream().map(Text::of))
        .containsExactly(
            "exact: \"https://a.b:8443\" ignore_case: true",
            "safe_regex { regex: \"https://.*\\\\.b\" }");
  }

  @Test
  void noPoliciesMeanNoFilterConfig() {
    assertThat(FilterConfigs.of(YamlFixtures.host(""))).isEmpty();
    assertThat(RouteFixtures.route("services: [{name: s, port: 80}]").getTypedPerFilterConfigMap())
        .isEmpty();
  }

  @Test
  void enabledHasAnEmptyMessageSet() {
    FilterConfig enabled = Text.unpack(FilterConfigs.ENABLED, FilterConfig.class);
    assertThat(enabled.hasConfig()).isTrue();
    assertThat(enabled.getConfig()).isEqualTo(Any.getDefaultInstance());
    assertThat(enabled.getDisabled()).isFalse();
  }
}
