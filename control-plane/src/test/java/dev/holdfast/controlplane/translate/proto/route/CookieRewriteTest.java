// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.filters.http.lua.v3.LuaPerRoute;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Cookies and redirects of services that the proxy changes or follows. */
class CookieRewriteTest {
  private static String rules(@Nullable Any config) {
    assertThat(config).isNotNull();
    String script = Text.unpack(config, LuaPerRoute.class).getSourceCode().getInlineString();
    String end = "\n}\n";
    return script.substring("local rules = {\n".length(), script.indexOf(end));
  }

  private static @Nullable Any ofRoute(Route route) {
    return route.getTypedPerFilterConfigMap().get(FilterConfigs.COOKIES);
  }

  @Test
  void rulesAreAPartOfTheScriptOfTheRoute() {
    Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80}], cookieRewritePolicies: [{name: sid, pathRewrite:"
                + " {value: /a}, domainRewrite: {value: a.example}, secure: true, sameSite: Lax},"
                + " {name: old, secure: false}]");

    assertThat(rules(ofRoute(route)))
        .isEqualTo(
            """
            ["sid"] = {path = "Path=/a", domain = "Domain=a.example", secure = "Secure", samesite = "SameSite=Lax", },
            ["old"] = {secure = false, },""");
    assertThat(route.getRoute().getCluster()).isEqualTo("c/s");
  }

  @Test
  void whatAnAuthorWritesIsNeverCode() {
    Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80}], cookieRewritePolicies: [{name: \"a'b\", pathRewrite:"
                + " {value: '/\"]]\\ü}'}}]");

    assertThat(rules(ofRoute(route)))
        .isEqualTo("[\"a\\039b\"] = {path = \"Path=/\\034\\093\\093\\092\\195\\188\\125\", },");
  }

  @Test
  void aServiceWinsOverItsRouteAttributeByAttribute() {
    Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80, cookieRewritePolicies: [{name: a, pathRewrite: {value:"
                + " /s}}, {name: c, secure: true}]}], cookieRewritePolicies: [{name: a,"
                + " pathRewrite: {value: /r}, sameSite: None}, {name: b, secure: true}]");

    assertThat(
            rules(
                route
                    .getRoute()
                    .getWeightedClusters()
                    .getClusters(0)
                    .getTypedPerFilterConfigMap()
                    .get(FilterConfigs.COOKIES)))
        .isEqualTo(
            """
            ["a"] = {path = "Path=/s", samesite = "SameSite=None", },
            ["b"] = {secure = "Secure", },
            ["c"] = {secure = "Secure", },""");
  }

  @Test
  void redirectsAreFollowedAsWritten() {
    assertThat(redirect("{}")).isEqualTo("max_internal_redirects { value: 1 }");
    assertThat(
            redirect(
                "{maxInternalRedirects: 3, redirectResponseCodes: [301, 308],"
                    + " allowCrossSchemeRedirect: Always}"))
        .isEqualTo(
            "max_internal_redirects { value: 3 } redirect_response_codes: 301"
                + " redirect_response_codes: 308 allow_cross_scheme_redirect: true");
    assertThat(redirect("{allowCrossSchemeRedirect: SafeOnly, denyRepeatedRouteRedirect: true}"))
        .contains("allow_cross_scheme_redirect: true")
        .contains("envoy.internal_redirect_predicates.safe_cross_scheme")
        .contains("envoy.internal_redirect_predicates.previous_routes");
  }

  private static String redirect(String policy) {
    return Text.of(
        RouteFixtures.route("services: [{name: s, port: 80}], internalRedirectPolicy: " + policy)
            .getRoute()
            .getInternalRedirectPolicy());
  }

  @Test
  void aPartOfTheRequestDecidesAboutTheEndpoint() {
    Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80}], loadBalancerPolicy: {strategy: RequestHash,"
                + " requestHashPolicies: [{headerHashOptions: {headerName: X-User}, terminal: true},"
                + " {queryParameterHashOptions: {parameterName: user}}, {hashSourceIP: true}]}");

    assertThat(route.getRoute().getHashPolicyList())
        .extracting(Text::of)
        .containsExactly(
            "header { header_name: \"x-user\" } terminal: true",
            "query_parameter { name: \"user\" }",
            "connection_properties { source_ip: true }");
  }
}
