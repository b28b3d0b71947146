// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Cookies that services set, as clients get them. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class CookieRewriteTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    // The services set the cookie that they are asked for.
    stage.one.answer(echo -> Answer.OK.header("set-cookie", echo.header("x-set")));
    stage.two.answer(echo -> Answer.OK.header("set-cookie", echo.header("x-set")));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static String cookie(Site site, String path, String set) {
    Http.Response response = site.get(path).header("x-set", set).send();
    assertThat(response.status()).isEqualTo(200);
    return response.header("set-cookie");
  }

  @Test
  void attributesOfANamedCookieAreSet() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /all}]
              services: [{name: one, port: 80}]
              cookieRewritePolicies:
              - name: sid
                pathRewrite: {value: '/a"b]]'}
                domainRewrite: {value: shop.example.com}
                secure: true
                sameSite: Lax
            - conditions: [{prefix: /some}]
              services: [{name: one, port: 80}]
              cookieRewritePolicies:
              - {name: sid, secure: false}
            - services: [{name: one, port: 80}]
            """);

    assertThat(cookie(site, "/all", "sid=1"))
        .isEqualTo("sid=1; Path=/a\"b]]; Domain=shop.example.com; Secure; SameSite=Lax");
    assertThat(cookie(site, "/all", "sid=a=b; path=/x; HttpOnly; DOMAIN=x.com; Max-Age=5"))
        .isEqualTo(
            "sid=a=b; HttpOnly; Max-Age=5; Path=/a\"b]]; Domain=shop.example.com; Secure;"
                + " SameSite=Lax");
    assertThat(cookie(site, "/all", "other=1; Path=/x")).isEqualTo("other=1; Path=/x");
    assertThat(cookie(site, "/some", "sid=1; Secure; Path=/x")).isEqualTo("sid=1; Path=/x");
    assertThat(cookie(site, "/none", "sid=1; Path=/x")).isEqualTo("sid=1; Path=/x");
  }

  @Test
  void aServiceSaysMoreThanItsRoute() {
    Site site =
        stage.routes(
            """
            - services:
              - name: one
                port: 80
                cookieRewritePolicies:
                - name: sid
                  pathRewrite: {value: /service}
                  domainRewrite: {value: service.example.com}
                  secure: true
                  sameSite: Strict
              cookieRewritePolicies:
              - {name: sid, pathRewrite: {value: /route}, sameSite: None}
              - {name: other, pathRewrite: {value: /route}}
            """);

    assertThat(cookie(site, "/", "sid=1"))
        .isEqualTo("sid=1; Path=/service; Domain=service.example.com; Secure; SameSite=Strict");
    assertThat(cookie(site, "/", "other=1")).isEqualTo("other=1; Path=/route");
  }

  @Test
  void aPolicyThatIsNotValidLeavesTheOldOneInForce() {
    Site site =
        stage.root(
            "cookies.example.com",
            "",
            """
            routes:
            - services: [{name: two, port: 80}]
              cookieRewritePolicies: [{name: sid, pathRewrite: {value: /old}}]
            """);
    stage.write(
        "cookies.example.com",
        "",
        """
        routes:
        - services: [{name: two, port: 80}]
          cookieRewritePolicies: [{name: sid, pathRewrite: {value: "/new;x"}}]
        """);
    stage.plane.awaitSaid("HTTPProxy/default/cookies.example.com", "Valid", "ErrorPresent");

    assertThat(cookie(site, "/", "sid=1")).isEqualTo("sid=1; Path=/old");
  }
}
