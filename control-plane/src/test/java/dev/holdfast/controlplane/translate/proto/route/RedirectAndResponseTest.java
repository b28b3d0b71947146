// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Redirects and direct responses. */
class RedirectAndResponseTest {
  private static final RouteMatch MATCH = RouteMatch.newBuilder().setPrefix("/x").build();

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "{} => response_code: FOUND",
        "{statusCode: 301} => ",
        "{statusCode: 303} => response_code: SEE_OTHER",
        "{statusCode: 307} => response_code: TEMPORARY_REDIRECT",
        "{statusCode: 308} => response_code: PERMANENT_REDIRECT",
        "{statusCode: 301, scheme: https} => scheme_redirect: \"https\"",
        "{statusCode: 301, hostname: other.example} => host_redirect: \"other.example\"",
        "{statusCode: 301, port: 8443} => port_redirect: 8443",
        "{statusCode: 301, path: /b} => path_redirect: \"/b\"",
        "{statusCode: 301, prefix: /b} => prefix_rewrite: \"/b\"",
      })
  void redirectIsTranslated(String written, @Nullable String text) {
    assertThat(
            Text.of(
                RouteFixtures.route("conditions: [{prefix: /a}], requestRedirectPolicy: " + written)
                    .getRedirect()))
        .isEqualTo(text == null ? "" : text);
  }

  @Test
  void directResponseHasStatusAndBody() {
    assertThat(Text.of(RouteFixtures.route("directResponsePolicy: {statusCode: 204}")))
        .isEqualTo("match { prefix: \"/\" } direct_response { status: 204 }");
    assertThat(
            Text.of(
                RouteFixtures.route("directResponsePolicy: {statusCode: 410, body: gone}")
                    .getDirectResponse()))
        .isEqualTo("status: 410 body { inline_string: \"gone\" }");
  }

  @Test
  void httpsRedirectIsPermanent() {
    assertThat(Text.of(Routes.httpsRedirect(MATCH)))
        .isEqualTo("match { prefix: \"/x\" } redirect { https_redirect: true }");
  }

  @Test
  void routeWithoutDestinationFails() {
    assertThat(Text.of(Routes.failing(MATCH, 502)))
        .isEqualTo("match { prefix: \"/x\" } direct_response { status: 502 }");
  }
}
