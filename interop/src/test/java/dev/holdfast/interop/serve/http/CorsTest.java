// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What browsers are told of calls from other sites. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class CorsTest {
  private static final String ORIGIN = "https://app.example.org";

  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static Site with(String policy) {
    return stage.root(
        "corsPolicy: {" + policy + "}", "routes: [{services: [{name: one, port: 80}]}]");
  }

  private static Http.Request preflight(Site site, String origin) {
    return site.method("OPTIONS", "/")
        .header("Origin", origin)
        .header("Access-Control-Request-Method", "GET");
  }

  private static String allowed(Site site, String origin) {
    return preflight(site, origin).send().header("access-control-allow-origin");
  }

  @Test
  void aPreflightIsAnsweredByEnvoyWithWhatIsAllowed() {
    Site site =
        with(
            "allowOrigin: [\"%s\"], allowMethods: [GET, PUT], allowHeaders: [x-a, x-b]"
                .formatted(ORIGIN));

    Http.Response response = preflight(site, ORIGIN).send();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.backend()).isEmpty();
    assertThat(response.header("access-control-allow-origin")).isEqualTo(ORIGIN);
    assertThat(response.header("access-control-allow-methods")).isEqualTo("GET,PUT");
    assertThat(response.header("access-control-allow-headers")).isEqualTo("x-a,x-b");
    assertThat(response.headers("access-control-max-age")).isEmpty();
    assertThat(response.headers("access-control-allow-credentials")).isEmpty();
    assertThat(response.headers("access-control-allow-private-network")).isEmpty();
  }

  @Test
  void aRequestIsSentOnAndItsAnswerSaysWhatMayBeRead() {
    Site site =
        with(
            "allowOrigin: [\"%s\"], allowMethods: [GET], exposeHeaders: [x-c, x-d]"
                .formatted(ORIGIN));

    Http.Response response = site.get("/").header("Origin", ORIGIN).send();
    assertThat(response.backend()).isEqualTo("one");
    assertThat(response.header("access-control-allow-origin")).isEqualTo(ORIGIN);
    assertThat(response.header("access-control-expose-headers")).isEqualTo("x-c,x-d");
  }

  @Test
  void anOriginIsOneSiteOrARegularExpressionOrAll() {
    Site sites =
        with(
            "allowOrigin: [\"%s\", \"https://.*[.]example[.]net\"], allowMethods: [GET]"
                .formatted(ORIGIN));
    assertThat(allowed(sites, ORIGIN)).isEqualTo(ORIGIN);
    assertThat(allowed(sites, "https://a.example.net")).isEqualTo("https://a.example.net");
    assertThat(allowed(sites, "https://example.net")).isEmpty();
    assertThat(allowed(sites, "http://app.example.org")).isEmpty();
    assertThat(allowed(sites, ORIGIN + ":8443")).isEmpty();

    Site all = with("allowOrigin: [\"*\"], allowMethods: [GET]");
    assertThat(allowed(all, "https://anything.example")).isIn("*", "https://anything.example");
  }

  @Test
  void credentialsMayBeSent() {
    Site site =
        with(
            "allowOrigin: [\"%s\"], allowMethods: [GET], allowCredentials: true".formatted(ORIGIN));

    assertThat(preflight(site, ORIGIN).send().header("access-control-allow-credentials"))
        .isEqualTo("true");
  }

  @Test
  void aPrivateNetworkMayBeCalled() {
    Site site =
        with(
            "allowOrigin: [\"%s\"], allowMethods: [GET], allowPrivateNetwork: true"
                .formatted(ORIGIN));

    Http.Response response =
        preflight(site, ORIGIN).header("Access-Control-Request-Private-Network", "true").send();
    assertThat(response.header("access-control-allow-private-network")).isEqualTo("true");
  }

  @Test
  void theAnswerMayBeKeptForAWhile() {
    Site site = with("allowOrigin: [\"%s\"], allowMethods: [GET], maxAge: 10m".formatted(ORIGIN));
    assertThat(preflight(site, ORIGIN).send().header("access-control-max-age")).isEqualTo("600");

    Site never = with("allowOrigin: [\"%s\"], allowMethods: [GET], maxAge: 0s".formatted(ORIGIN));
    assertThat(preflight(never, ORIGIN).send().header("access-control-max-age")).isEqualTo("0");
  }
}
