// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Echo;
import dev.holdfast.interop.envoy.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Headers that are set and removed on the way, there and back. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class HeaderPolicyTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    Backend talkative = stage.backend("talkative");
    talkative.answer(Answer.OK.header("x-secret", "hush").header("x-old", "old"));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  @Test
  void aRouteSetsAndRemovesHeadersOfRequests() {
    Site site =
        stage.routes(
            """
            - services: [{name: one, port: 80}]
              requestHeadersPolicy:
                set: [{name: X-New, value: new}, {name: x-old, value: replaced}]
                remove: [X-Secret]
            """);

    Echo echo = site.get("/").header("x-old", "old").header("x-secret", "hush").send().echo();
    assertThat(echo.header("x-new")).isEqualTo("new");
    assertThat(echo.header("x-old")).isEqualTo("replaced");
    assertThat(echo.headers()).doesNotContainKey("x-secret");
  }

  @Test
  void aRouteSetsAndRemovesHeadersOfResponses() {
    Site site =
        stage.routes(
            """
            - services: [{name: talkative, port: 80}]
              responseHeadersPolicy:
                set: [{name: X-New, value: new}, {name: x-old, value: replaced}]
                remove: [X-Secret]
            """);

    Http.Response response = site.get("/").send();
    assertThat(response.backend()).isEqualTo("talkative");
    assertThat(response.header("x-new")).isEqualTo("new");
    assertThat(response.header("x-old")).isEqualTo("replaced");
    assertThat(response.headers("x-secret")).isEmpty();
  }

  @Test
  void aServiceSetsAndRemovesHeadersOfItsOwnRequests() {
    Site site =
        stage.routes(
            """
            - services:
              - name: one
                port: 80
                requestHeadersPolicy:
                  set: [{name: x-for, value: one}, {name: x-old, value: replaced}]
                  remove: [x-secret]
              - {name: two, port: 80}
            """);

    boolean[] seen = new boolean[2];
    for (int i = 0; i < 200 && !(seen[0] && seen[1]); i++) {
      Echo echo = site.get("/").header("x-old", "old").header("x-secret", "hush").send().echo();
      boolean one = echo.backend().equals("one");
      seen[one ? 0 : 1] = true;
      assertThat(echo.header("x-for")).isEqualTo(one ? "one" : "");
      assertThat(echo.header("x-old")).isEqualTo(one ? "replaced" : "old");
      assertThat(echo.header("x-secret")).isEqualTo(one ? "" : "hush");
    }
    assertThat(seen).containsExactly(true, true);
  }

  @Test
  void aServiceSetsAndRemovesHeadersOfItsOwnResponses() {
    Site site =
        stage.routes(
            """
            - services:
              - name: talkative
                port: 80
                responseHeadersPolicy:
                  set: [{name: x-from, value: talkative}, {name: x-old, value: replaced}]
                  remove: [x-secret]
            """);

    Http.Response response = site.get("/").send();
    assertThat(response.header("x-from")).isEqualTo("talkative");
    assertThat(response.header("x-old")).isEqualTo("replaced");
    assertThat(response.headers("x-secret")).isEmpty();
  }

  @Test
  void theHostIsRewrittenByARoute() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /literal}]
              services: [{name: one, port: 80}]
              requestHeadersPolicy: {set: [{name: Host, value: inner.example.org}]}
            - conditions: [{prefix: /header}]
              services: [{name: one, port: 80}]
              requestHeadersPolicy: {set: [{name: Host, value: "%REQ(x-host)%"}]}
            - services: [{name: one, port: 80}]
            """);

    assertThat(site.get("/literal").send().echo().host()).isEqualTo("inner.example.org");
    assertThat(site.get("/header").header("x-host", "asked.example.org").send().echo().host())
        .isEqualTo("asked.example.org");
    assertThat(site.get("/").send().echo().host()).isEqualTo(site.host());
  }

  @Test
  void theHostIsRewrittenByAService() {
    Site site =
        stage.routes(
            """
            - services:
              - name: one
                port: 80
                requestHeadersPolicy: {set: [{name: Host, value: one.example.org}]}
            """);

    assertThat(site.get("/").send().echo().host()).isEqualTo("one.example.org");
  }

  @Test
  void variablesTakeTheirValues() {
    Site site =
        stage.routes(
            """
            - services:
              - name: one
                port: 80
                requestHeadersPolicy:
                  set:
                  - name: x-service
                    value: "%CONTOUR_NAMESPACE%/%CONTOUR_SERVICE_NAME%:%CONTOUR_SERVICE_PORT%"
              requestHeadersPolicy:
                set:
                - {name: x-namespace, value: "in %CONTOUR_NAMESPACE%"}
                - {name: x-copy, value: "<%REQ(x-a)%>"}
                - {name: x-client, value: "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%"}
                - {name: x-protocol, value: "%PROTOCOL%"}
              responseHeadersPolicy:
                set:
                - {name: x-flags, value: "%RESPONSE_FLAGS%"}
                - {name: x-upstream, value: "%UPSTREAM_REMOTE_ADDRESS%"}
            """);

    Http.Response response = site.get("/").header("x-a", "copied").send();
    Echo echo = response.echo();
    assertThat(echo.header("x-service")).isEqualTo("default/one:80");
    assertThat(echo.header("x-namespace")).isEqualTo("in default");
    assertThat(echo.header("x-copy")).isEqualTo("<copied>");
    assertThat(echo.header("x-client")).isEqualTo("127.0.0.1");
    assertThat(echo.header("x-protocol")).isEqualTo("HTTP/1.1");
    assertThat(response.header("x-flags")).isEqualTo("-");
    assertThat(response.header("x-upstream")).isEqualTo("127.0.0.1:" + stage.one.port());
  }

  @Test
  void otherPerCentSignsAreTextAndNoReasonToRefuse() {
    Site site =
        stage.routes(
            """
            - services: [{name: one, port: 80}]
              requestHeadersPolicy:
                set:
                - {name: x-share, value: "100%"}
                - {name: x-unknown, value: "%NO_SUCH_VARIABLE% %START_TIME(%s)%"}
            """);

    Echo echo = site.get("/").send().echo();
    assertThat(echo.header("x-share")).isEqualTo("100%");
    assertThat(echo.header("x-unknown")).isEqualTo("%NO_SUCH_VARIABLE% %START_TIME(%s)%");
  }

  @Test
  void whatEnvoyAnswersItselfGetsTheHeadersOfTheRouteToo() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /answer}]
              directResponsePolicy: {statusCode: 200}
              responseHeadersPolicy: {set: [{name: x-by, value: envoy}]}
            - requestRedirectPolicy: {path: /answer}
              responseHeadersPolicy: {set: [{name: x-by, value: envoy}]}
            """);

    assertThat(site.get("/answer").send().header("x-by")).isEqualTo("envoy");
    assertThat(site.get("/").send().header("x-by")).isEqualTo("envoy");
  }
}
