// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which host a root answers for. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class HostTest {
  private static final String TO_ONE = "routes: [{services: [{name: one, port: 80}]}]";
  private static final String TO_TWO = "routes: [{services: [{name: two, port: 80}]}]";

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
  void aHostIsMatchedWithoutRegardToCaseAndPort() {
    Site site = stage.root("shop.example.com", "", TO_ONE);

    assertThat(site.answers("/")).isEqualTo("one");
    assertThat(site.as("SHOP.example.COM").answers("/")).isEqualTo("one");
    assertThat(site.as("shop.example.com:8080").answers("/")).isEqualTo("one");
    assertThat(site.as("other.example.com").answers("/")).isEqualTo("404");
    assertThat(site.as("a.shop.example.com").answers("/")).isEqualTo("404");
  }

  @Test
  void aWildcardStandsForOneLabel() {
    Site site = stage.root("*.wild.example.com", "", TO_ONE);

    assertThat(site.as("a.wild.example.com").answers("/")).isEqualTo("one");
    assertThat(site.as("B.wild.example.com:8080").answers("/")).isEqualTo("one");
    assertThat(site.as("a.b.wild.example.com").answers("/")).isEqualTo("404");
    assertThat(site.as("wild.example.com").answers("/")).isEqualTo("404");
  }

  @Test
  void aHostComesBeforeTheWildcardThatCoversIt() {
    Site any = stage.root("*.both.example.com", "", TO_ONE);
    stage.root("the.both.example.com", "", TO_TWO);

    assertThat(any.as("a.both.example.com").answers("/")).isEqualTo("one");
    assertThat(any.as("the.both.example.com").answers("/")).isEqualTo("two");
  }

  @Test
  void whoIsServedKeepsItsHost() {
    Site site = stage.root("twice.example.com", "", TO_ONE);
    assertThat(site.answers("/")).isEqualTo("one");

    stage.child(
        "elsewhere",
        "rival",
        """
        virtualhost: {fqdn: twice.example.com}
        routes: [{directResponsePolicy: {statusCode: 200}}]
        """);

    assertThat(
            stage.plane.awaitSaid("HTTPProxy/elsewhere/rival", "Programmed", "Conflict").message())
        .contains("HTTPProxy/default/twice.example.com", "twice.example.com is also used by");
    stage.plane.awaitProgrammed("HTTPProxy/default/twice.example.com", 1);
    assertThat(site.answers("/")).isEqualTo("one");

    stage.plane.delete("twice.example.com.yaml");
    stage.plane.awaitProgrammed("HTTPProxy/elsewhere/rival", 1);
    stage.admin().await("the other took over", () -> site.answers("/").equals("200"));
  }
}
