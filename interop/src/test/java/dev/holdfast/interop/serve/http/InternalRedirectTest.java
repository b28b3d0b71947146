// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Echo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Redirects of services that Envoy follows itself. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class InternalRedirectTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    stage.one.answer(InternalRedirectTest::redirect);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  /** {@code /302/...} leads to the rest of the path. */
  private static Answer redirect(Echo request) {
    String[] path = request.path().split("/", 3);
    if (!path[1].startsWith("30")) {
      return Answer.OK;
    }
    String scheme = request.path().contains("secure") ? "https://" : "http://";
    return Answer.OK
        .status(Integer.parseInt(path[1]))
        .header("location", scheme + request.header("host") + "/" + path[2]);
  }

  @Test
  void oneRedirectWith302IsFollowedByDefault() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /30}]
              services: [{name: one, port: 80}]
              internalRedirectPolicy: {}
            - services: [{name: two, port: 80}]
            """);

    assertThat(site.answers("/302/there")).isEqualTo("two");
    assertThat(site.answers("/302/302/there")).isEqualTo("one");
    assertThat(site.get("/302/302/there").send().status()).isEqualTo(302);
    assertThat(site.get("/301/there").send().status()).isEqualTo(301);
  }

  @Test
  void moreRedirectsAndOtherStatusesAreFollowedIfTheRouteSaysSo() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /30}]
              services: [{name: one, port: 80}]
              internalRedirectPolicy: {maxInternalRedirects: 2, redirectResponseCodes: [301, 307]}
            - services: [{name: two, port: 80}]
            """);

    assertThat(site.answers("/301/307/there")).isEqualTo("two");
    assertThat(site.get("/301/307/301/there").send().status()).isEqualTo(301);
    assertThat(site.get("/302/there").send().status()).isEqualTo(302);
  }

  @Test
  void anotherSchemeIsFollowedOnlyIfTheRouteSaysSo() {
    Site never =
        stage.routes(
            """
            - conditions: [{prefix: /30}]
              services: [{name: one, port: 80}]
              internalRedirectPolicy: {allowCrossSchemeRedirect: Never}
            - services: [{name: two, port: 80}]
            """);
    Site safe =
        stage.routes(
            """
            - conditions: [{prefix: /30}]
              services: [{name: one, port: 80}]
              internalRedirectPolicy: {allowCrossSchemeRedirect: SafeOnly}
            - services: [{name: two, port: 80}]
            """);
    Site always =
        stage.routes(
            """
            - conditions: [{prefix: /30}]
              services: [{name: one, port: 80}]
              internalRedirectPolicy: {allowCrossSchemeRedirect: Always}
            - services: [{name: two, port: 80}]
            """);

    assertThat(never.get("/302/secure").send().status()).isEqualTo(302);
    assertThat(safe.get("/302/secure").send().status()).isEqualTo(302);
    assertThat(always.answers("/302/secure")).isEqualTo("two");
  }

  @Test
  void aRouteIsNotFollowedTwiceIfThatIsDenied() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /302/}]
              services: [{name: one, port: 80}]
              internalRedirectPolicy: {maxInternalRedirects: 5, denyRepeatedRouteRedirect: true}
            - services: [{name: two, port: 80}]
            """);

    assertThat(site.answers("/302/there")).isEqualTo("two");
    assertThat(site.get("/302/302/302/there").send().status()).isEqualTo(302);
  }
}
