// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts whose requests a service decides about. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
@SuppressWarnings("NullAway.Init") // set by JUnit
class AuthorizationTest {
  private static final TestCa CA = TestCa.create("authority");
  private static Backend one;
  private static Backend web;
  private static Judge judge;
  private static Rig rig;

  @Parameter String protocol;

  @BeforeAll
  static void startServices() {
    one = Backend.start("one");
    web = Backend.start("web");
    judge = Judge.authorizing(question -> question.contains("good"));
    web.answer(
        echo ->
            echo.header("x-pass").equals("good")
                ? Answer.OK.header("x-user", "ann")
                : Answer.OK.status(401));
  }

  @AfterAll
  static void stopServices() {
    one.close();
    web.close();
    judge.close();
  }

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    rig =
        Rig.start(
            protocol,
            "base.yaml",
            Docs.of(
                Yaml.service("one", one.port()),
                Yaml.service("judge", judge.port()),
                Yaml.service("web", web.port()),
                Docs.tlsSecret("cert", CA.issue("server")),
                Docs.secure("free", "free.example", "secretName: cert", "one")));
    Rig.awaitSeen("200 one", () -> seen("free", "/", ""));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  private static String extension(String name, String service, String more) {
    return """
        apiVersion: projectcontour.io/v1alpha1
        kind: ExtensionService
        metadata: {name: %s}
        spec: {services: [{name: %s, port: 80}], protocol: h2c%s}
        """
        .formatted(name, service, more);
  }

  private static String host(String name, String authorization, String routes) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %1$s}
        spec:
          virtualhost:
            fqdn: %1$s.example
            tls: {secretName: cert}
            authorization: {%2$s}
          routes:
        %3$s"""
        .formatted(name, authorization, routes.indent(2));
  }

  private static final String TO_ONE = "- services: [{name: one, port: 80}]\n";

  private static String seen(String name, String path, String pass) {
    Http https = rig.https(Tls.sni(name + ".example", CA));
    return Rig.seen(() -> https.get(path).host(name + ".example").header("x-pass", pass).send());
  }

  @Test
  void onlyWhatTheServiceAllowsGetsThrough() {
    rig.put("ExtensionService/default/login", extension("login", "judge", ""));
    rig.apply(
        "HTTPProxy/default/guarded",
        host(
            "guarded",
            "extensionRef: {name: login}, responseTimeout: 5s, authPolicy: {context: {of: host}}",
            """
            - services: [{name: one, port: 80}]
              permitInsecure: true
            - conditions: [{prefix: /open}]
              services: [{name: one, port: 80}]
              authPolicy: {disabled: true}
            - conditions: [{prefix: /more}]
              services: [{name: one, port: 80}]
              authPolicy: {context: {more: fromroute}}
            """));
    rig.plane().awaitProgrammed("ExtensionService/default/login", 1);

    Rig.awaitSeen("200 one", () -> seen("guarded", "/", "good"));
    assertThat(seen("guarded", "/", "bad")).isEqualTo("403");
    assertThat(seen("guarded", "/open", "bad")).isEqualTo("200 one");
    assertThat(seen("guarded", "/more", "good")).isEqualTo("200 one");
    assertThat(judge.asked()).last().asString().contains("fromroute", "host");
    assertThat(Rig.seen(rig.http(), "guarded.example", "/")).as("without TLS").isEqualTo("403");

    // A service that does not exist: the last good one goes on deciding.
    rig.put("ExtensionService/default/login", extension("login", "none", ""));
    rig.plane().awaitSaid("ExtensionService/default/login", "Valid", "ErrorPresent");
    assertThat(seen("guarded", "/", "good")).isEqualTo("200 one");
    assertThat(seen("guarded", "/", "bad")).isEqualTo("403");

    rig.delete("ExtensionService/default/login");
    Rig.awaitSeen(Rig.BROKEN, () -> seen("guarded", "/", "good"));
    Set<String> meanwhile = new TreeSet<>();
    Rig.awaitSeen(
        "404",
        () -> {
          String now = Rig.seen(rig.http(), "guarded.example", "/");
          meanwhile.add(now);
          return now;
        });
    assertThat(meanwhile).as("never without the service").isSubsetOf("403", "404");
  }

  @Test
  void aServiceMaySpeakHttp() {
    rig.put(
        "ExtensionService/default/web",
        extension("web", "web", "").replace("protocol: h2c", "protocol: http/1.1"));
    rig.apply(
        "HTTPProxy/default/plain",
        host(
            "plain",
            "extensionRef: {name: web}, serviceType: http, responseTimeout: 5s, httpSettings:"
                + " {pathPrefix: /check, allowedAuthorizationHeaders: [{exact: x-pass}],"
                + " allowedUpstreamHeaders: [{prefix: x-us}]}",
            TO_ONE));

    Rig.awaitSeen("200 one", () -> seen("plain", "/a", "good"));
    assertThat(seen("plain", "/a", "bad")).startsWith("401");
    assertThat(web.requests()).anyMatch(request -> request.path().equals("/check/a"));
    assertThat(one.requests()).anyMatch(request -> request.header("x-user").equals("ann"));
  }

  @Test
  void aServiceThatIsGoneLetsNobodyInUnlessItsHostSaysSo() {
    try (Judge leaving = Judge.authorizing(question -> true)) {
      rig.put(
          "leaving",
          Docs.of(Yaml.service("leaving", leaving.port()), extension("leaving", "leaving", "")));
      rig.apply(
          "HTTPProxy/default/closed", host("closed", "extensionRef: {name: leaving}", TO_ONE));
      rig.apply(
          "HTTPProxy/default/opened",
          host("opened", "extensionRef: {name: leaving}, failOpen: true", TO_ONE));
      Rig.awaitSeen("200 one", () -> seen("closed", "/", "any"));
    }

    Rig.awaitSeen("403", () -> seen("closed", "/", "any"));
    Rig.awaitSeen("200 one", () -> seen("opened", "/", "any"));
  }

  @Test
  void aNewHostIsNotServedWithoutItsService() {
    rig.put("HTTPProxy/default/alone", host("alone", "extensionRef: {name: nobody}", TO_ONE));
    rig.plane().awaitSaid("HTTPProxy/default/alone", "Valid", "ErrorPresent");

    assertThat(seen("alone", "/", "good")).isEqualTo(Rig.BROKEN);
    assertThat(Rig.seen(rig.http(), "alone.example", "/")).isEqualTo("404");
  }

  @Test
  void anEditThatTakesTheServiceAwayIsHeld() {
    rig.put("ExtensionService/default/kept", extension("kept", "judge", ""));
    rig.apply(
        "HTTPProxy/default/kept",
        host("kept", "extensionRef: {name: kept}, responseTimeout: 5s", TO_ONE));
    Rig.awaitSeen("200 one", () -> seen("kept", "/", "good"));

    rig.put("HTTPProxy/default/kept", host("kept", "extensionRef: {name: nobody}", TO_ONE));
    rig.plane().awaitSaid("HTTPProxy/default/kept", "Valid", "ErrorPresent");

    assertThat(seen("kept", "/", "good")).isEqualTo("200 one");
    assertThat(seen("kept", "/", "bad")).isEqualTo("403");
  }
}
