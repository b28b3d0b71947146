// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that go elsewhere, on another path or not at all. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class RewriteAndRedirectTest {
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

  private static String path(Site site, String asked) {
    return site.get(asked).send().echo().path();
  }

  private static String location(Site site, String asked) {
    return site.get(asked).send().header("location");
  }

  @Test
  void thePrefixIsReplacedAndSlashesAreKeptRight() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /old}]
              services: [{name: one, port: 80}]
              pathRewritePolicy: {replacePrefix: [{replacement: /new}]}
            - conditions: [{prefix: /gone/}]
              services: [{name: one, port: 80}]
              pathRewritePolicy: {replacePrefix: [{replacement: /}]}
            - services: [{name: two, port: 80}]
            """);

    assertThat(path(site, "/old")).isEqualTo("/new");
    assertThat(path(site, "/old/")).isEqualTo("/new/");
    assertThat(path(site, "/old/x?y=z")).isEqualTo("/new/x?y=z");
    assertThat(path(site, "/gone")).isEqualTo("/");
    assertThat(path(site, "/gone/x")).isEqualTo("/x");
    assertThat(site.answers("/gone-astray")).isEqualTo("two");
  }

  @Test
  void theReplacementForJustThisPrefixComesBeforeTheOneForAll() {
    stage.child(
        "default",
        "app",
        """
        routes:
        - services: [{name: one, port: 80}]
          pathRewritePolicy:
            replacePrefix:
            - {replacement: /other}
            - {prefix: /first, replacement: /1st}
            - {prefix: /second, replacement: /2nd}
        - conditions: [{prefix: /docs}]
          services: [{name: one, port: 80}]
          pathRewritePolicy: {replacePrefix: [{prefix: /first/docs, replacement: /manual}]}
        """);
    Site site =
        stage.root(
            "",
            """
            includes:
            - {name: app, conditions: [{prefix: /first}]}
            - {name: app, conditions: [{prefix: /second}]}
            - {name: app, conditions: [{prefix: /third}]}
            """);

    assertThat(path(site, "/first/x")).isEqualTo("/1st/x");
    assertThat(path(site, "/second/x")).isEqualTo("/2nd/x");
    assertThat(path(site, "/third/x")).isEqualTo("/other/x");
    assertThat(path(site, "/first/docs/x")).isEqualTo("/manual/x");
    assertThat(path(site, "/second/docs/x")).isEqualTo("/second/docs/x");
  }

  @Test
  void aRedirectChangesWhatItNamesAndKeepsTheRest() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /scheme}]
              requestRedirectPolicy: {scheme: https}
            - conditions: [{prefix: /hostname}]
              requestRedirectPolicy: {hostname: other.example.org}
            - conditions: [{prefix: /port}]
              requestRedirectPolicy: {port: 8443}
            - conditions: [{prefix: /path}]
              requestRedirectPolicy: {path: /new}
            - conditions: [{prefix: /prefix}]
              requestRedirectPolicy: {prefix: /new}
            - conditions: [{prefix: /slash/}]
              requestRedirectPolicy: {prefix: /new}
            - conditions: [{prefix: /all}]
              requestRedirectPolicy:
                {scheme: https, hostname: other.example.org, port: 8443, path: /new}
            """);

    String host = site.host();
    assertThat(location(site, "/scheme/a?b=c")).isEqualTo("https://" + host + "/scheme/a?b=c");
    assertThat(location(site, "/hostname/a")).isEqualTo("http://other.example.org/hostname/a");
    assertThat(location(site, "/port/a")).isEqualTo("http://" + host + ":8443/port/a");
    assertThat(location(site, "/path/a?b=c")).isEqualTo("http://" + host + "/new?b=c");
    assertThat(location(site, "/prefix/a?b=c")).isEqualTo("http://" + host + "/new/a?b=c");
    assertThat(location(site, "/prefix")).isEqualTo("http://" + host + "/new");
    assertThat(location(site, "/slash/a")).isEqualTo("http://" + host + "/newa");
    assertThat(location(site, "/all/a")).isEqualTo("https://other.example.org:8443/new");
  }

  @Test
  void aRedirectIs302UnlessItSaysOtherwise() {
    Site site = stage.routes("- requestRedirectPolicy: {path: /new}");

    assertThat(site.get("/").send().status()).isEqualTo(302);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void aRedirectHasTheStatusThatItNames(int status) {
    Site site =
        stage.routes("- requestRedirectPolicy: {path: /new, statusCode: %d}".formatted(status));

    assertThat(site.get("/").send().status()).isEqualTo(status);
  }

  @Test
  void aDirectResponseHasItsStatusAndBody() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /teapot}]
              directResponsePolicy: {statusCode: 418, body: "short and stout"}
            - conditions: [{prefix: /bare}]
              directResponsePolicy: {statusCode: 204}
            - conditions: [{prefix: /worst}]
              directResponsePolicy: {statusCode: 599, body: worst}
            """);

    Http.Response teapot = site.get("/teapot").send();
    assertThat(teapot.status()).isEqualTo(418);
    assertThat(teapot.body()).isEqualTo("short and stout");
    assertThat(site.get("/bare").send().status()).isEqualTo(204);
    assertThat(site.get("/worst").send().status()).isEqualTo(599);
  }
}
