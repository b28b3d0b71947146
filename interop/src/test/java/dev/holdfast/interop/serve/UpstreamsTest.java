// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Echo;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What is spoken with services, and how they prove who they are. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record UpstreamsTest(String protocol) {
  private static final TestCa CA = TestCa.create("authority");
  private static final TestCa OTHERS = TestCa.create("others");
  private static final Backend OPEN = Backend.start("open");
  private static final Backend INSIDE = Backend.startTls("inside", CA);

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Rig rig;

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    rig =
        Rig.start(
            protocol,
            "base.yaml",
            Docs.of(
                Yaml.service("open", OPEN.port()),
                Yaml.service("inside", INSIDE.port()),
                Yaml.service(
                    "h2c-by-name",
                    "    projectcontour.io/upstream-protocol.h2c: http\n",
                    OPEN.port()),
                Yaml.service(
                    "h2-by-number",
                    "    projectcontour.io/upstream-protocol.h2: \"80\"\n",
                    INSIDE.port()),
                Yaml.service(
                    "tls-by-name",
                    "    projectcontour.io/upstream-protocol.tls: \"http,443\"\n",
                    INSIDE.port()),
                Docs.caSecret("authority", CA),
                Docs.caSecret("wrong-authority", OTHERS)));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  private static void route(String name, String service, String more) {
    rig.apply(
        "HTTPProxy/default/" + name,
        Yaml.root(
            name,
            name + ".example",
            """
            routes:
            - services: [{port: 80, name: %s}]
            %s
            """
                .formatted(service, more.indent(2))));
  }

  private static Echo echo(String name) {
    Plane.await(
        name + " answers",
        () -> rig.http().get("/").host(name + ".example").send().status() == 200);
    return rig.http().get("/").host(name + ".example").send().echo();
  }

  @Test
  void http1IsSpokenUnlessSomebodySaysOtherwise() {
    route("plain", "open", "");
    assertThat(echo("plain").protocol()).isEqualTo("HTTP/1.1");
  }

  @Test
  void h2cIsHttp2WithoutTls() {
    route("h2c", "open, protocol: h2c", "");
    assertThat(echo("h2c").protocol()).isEqualTo("HTTP/2.0");
  }

  @Test
  void h2IsHttp2WithTls() {
    route("h2", "inside, protocol: h2", "");
    assertThat(echo("h2").protocol()).isEqualTo("HTTP/2.0");
  }

  @Test
  void tlsIsHttp1WithTls() {
    route("tls", "inside, protocol: tls", "");
    assertThat(echo("tls").protocol()).isEqualTo("HTTP/1.1");
    assertThat(echo("tls").sni()).isEmpty();
  }

  @Test
  void theServerThatIsAskedForIsTheHostThatIsSet() {
    route(
        "named",
        "inside, protocol: tls",
        "requestHeadersPolicy: {set: [{name: Host, value: inside.example}]}");
    assertThat(echo("named").sni()).isEqualTo("inside.example");
    assertThat(echo("named").host()).isEqualTo("inside.example");
  }

  @Test
  void anAnnotationOfTheServiceNamesThePort() {
    route("by-name", "h2c-by-name", "");
    assertThat(echo("by-name").protocol()).isEqualTo("HTTP/2.0");
    route("tls-name", "tls-by-name", "");
    assertThat(echo("tls-name").backend()).isEqualTo("inside");
  }

  @Test
  void anAnnotationOfTheServiceNumbersThePort() {
    route("by-number", "h2-by-number", "");
    assertThat(echo("by-number").protocol()).isEqualTo("HTTP/2.0");
    assertThat(echo("by-number").backend()).isEqualTo("inside");
  }

  @Test
  void theRouteWinsOverTheAnnotation() {
    route("wins", "h2-by-number, protocol: tls", "");
    assertThat(echo("wins").protocol()).isEqualTo("HTTP/1.1");
  }

  @Test
  void aServiceIsBelievedIfItsAuthorityAndNameAreRight() {
    route(
        "valid",
        "inside, protocol: tls, validation: {caSecret: authority, subjectName: localhost}",
        "");
    assertThat(echo("valid").backend()).isEqualTo("inside");
  }

  @Test
  void oneOfSeveralNamesIsEnough() {
    route(
        "names",
        """
        inside, protocol: h2, validation: {caSecret: authority, subjectName: other.example,
          subjectNames: [other.example, 127.0.0.1]}\
        """,
        "");
    assertThat(echo("names").protocol()).isEqualTo("HTTP/2.0");
  }

  @Test
  void aServiceOfAnotherNameGetsNoRequests() {
    route(
        "misnamed",
        "inside, protocol: tls, validation: {caSecret: authority, subjectName: other.example}",
        "");
    refused("misnamed", "fail_verify_san");
  }

  @Test
  void aServiceOfAnotherAuthorityGetsNoRequests() {
    route(
        "mistrusted",
        "inside, protocol: tls, validation: {caSecret: wrong-authority, subjectName: localhost}",
        "");
    refused("mistrusted", "fail_verify_error");
  }

  private static void refused(String name, String why) {
    String stat = "cluster.default/inside/80/" + name + ".ssl." + why;
    Plane.await( // the first 503 can be that of a cluster that is not there yet
        stat,
        () ->
            Rig.seen(rig.http(), name + ".example", "/").equals("503")
                && rig.admin().stat(stat) > 0);
    assertThat(INSIDE.requests()).noneMatch(request -> request.host().equals(name + ".example"));
  }

  @Test
  void anIdleConnectionIsKeptForAsLongAsTheRouteSays() {
    route("idle", "open", "timeoutPolicy: {idleConnection: 90s}");
    assertThat(echo("idle").backend()).isEqualTo("open");
    assertThat(rig.cluster("default/open/80/idle").toString())
        .contains("\"common_http_protocol_options\":{\"idle_timeout\":\"90s\"}");
    route("forever", "open", "timeoutPolicy: {idleConnection: infinity}");
    assertThat(rig.cluster("default/open/80/forever").toString())
        .contains("\"common_http_protocol_options\":{\"idle_timeout\":\"0s\"}");
  }
}
