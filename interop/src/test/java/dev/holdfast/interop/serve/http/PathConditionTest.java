// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which paths a route is for, and which of two routes is used. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class PathConditionTest {
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

  @Test
  void aPrefixIsOneOfCharactersNotOfSegments() {
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /foo}]
              services: [{name: one, port: 80}]
            """);

    assertThat(site.answers("/foo")).isEqualTo("one");
    assertThat(site.answers("/foo/bar?x=y")).isEqualTo("one");
    assertThat(site.answers("/foobar")).isEqualTo("one");
    assertThat(site.answers("/fo")).isEqualTo("404");
    assertThat(site.answers("/FOO")).isEqualTo("404");
  }

  @Test
  void anExactPathIsThatPathOnlyWhateverTheQuery() {
    Site site =
        stage.routes(
            """
            - conditions: [{exact: /foo}]
              services: [{name: one, port: 80}]
            """);

    assertThat(site.answers("/foo")).isEqualTo("one");
    assertThat(site.answers("/foo?x=y")).isEqualTo("one");
    assertThat(site.answers("/foo/")).isEqualTo("404");
    assertThat(site.answers("/foobar")).isEqualTo("404");
  }

  @Test
  void aRegexMustMatchTheWholePath() {
    Site site =
        stage.routes(
            """
            - conditions: [{regex: "/v[0-9]+/.*"}]
              services: [{name: one, port: 80}]
            """);

    assertThat(site.answers("/v1/x")).isEqualTo("one");
    assertThat(site.answers("/v22/?a=b")).isEqualTo("one");
    assertThat(site.answers("/v/x")).isEqualTo("404");
    assertThat(site.answers("/a/v1/x")).isEqualTo("404");
  }

  @Test
  void theNarrowerRouteComesFirstInWhateverOrderTheyAreWritten() {
    Site site =
        stage.routes(
            """
            - directResponsePolicy: {statusCode: 200, body: any}
            - conditions: [{prefix: /foo}]
              directResponsePolicy: {statusCode: 200, body: short}
            - conditions: [{prefix: /foo/bar}]
              directResponsePolicy: {statusCode: 200, body: long}
            - conditions: [{prefix: /foo/bar}, {header: {name: x-a, present: true}}]
              directResponsePolicy: {statusCode: 200, body: long with header}
            - conditions: [{prefix: /foo/bar}, {queryParameter: {name: q, present: true}}]
              directResponsePolicy: {statusCode: 200, body: long with query}
            - conditions: [{regex: "/foo/b.*z"}]
              directResponsePolicy: {statusCode: 200, body: regex}
            - conditions: [{exact: /foo/buzz}]
              directResponsePolicy: {statusCode: 200, body: exact}
            """);

    assertThat(site.answers("/")).isEqualTo("any");
    assertThat(site.answers("/foo")).isEqualTo("short");
    assertThat(site.answers("/foo/bar")).isEqualTo("long");
    assertThat(site.answers("/foo/bar", "x-a", "1")).isEqualTo("long with header");
    assertThat(site.answers("/foo/bar?q=1")).isEqualTo("long with query");
    assertThat(site.answers("/foo/bar?q=1", "x-a", "1")).isEqualTo("long with header");
    assertThat(site.answers("/foo/barz")).isEqualTo("regex");
    assertThat(site.answers("/foo/buzz")).isEqualTo("exact");
  }

  @Test
  void allConditionsOfARouteMustHold() {
    Site site =
        stage.routes(
            """
            - conditions:
              - prefix: /a
              - header: {name: x-a, exact: "1"}
              - header: {name: x-b, present: true}
              - queryParameter: {name: q, exact: "2"}
              directResponsePolicy: {statusCode: 200, body: all}
            """);

    assertThat(site.answers("/a?q=2", "x-a", "1", "x-b", "")).isEqualTo("all");
    assertThat(site.answers("/b?q=2", "x-a", "1", "x-b", "")).isEqualTo("404");
    assertThat(site.answers("/a?q=2", "x-a", "2", "x-b", "")).isEqualTo("404");
    assertThat(site.answers("/a?q=2", "x-a", "1")).isEqualTo("404");
    assertThat(site.answers("/a", "x-a", "1", "x-b", "")).isEqualTo("404");
  }

  @Test
  void ofTwoRoutesWithTheSameConditionsTheFirstOneIsUsed() {
    String name =
        stage.write(
            "twice.example.com",
            "",
            """
            routes:
            - directResponsePolicy: {statusCode: 200, body: first}
            - directResponsePolicy: {statusCode: 200, body: second}
            """);
    Plane.Said said = stage.plane.awaitSaid("HTTPProxy/default/" + name, "Programmed", "Invalid");

    assertThat(said.message()).contains("spec.routes[1]: never used");
    assertThat(stage.site("twice.example.com").answers("/")).isEqualTo("first");
  }
}
