// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Any configuration of Envoy's, for one proxy or one of its routes. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record ExtensionPoliciesTest(String protocol) {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Rig rig;

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    rig =
        Rig.start(
            protocol,
            "base.yaml",
            Docs.of(Yaml.service("one", ONE.port()), Docs.tlsSecret("cert", CA.issue("server"))),
            "bystander.yaml",
            root("bystander"));
    rig.plane().awaitProgrammed("HTTPProxy/default/bystander", 1);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  /** A host with a route for {@code /a} and one for all else. */
  private static String root(String name) {
    return Yaml.root(
        name,
        name + ".example",
        """
        routes:
        - conditions: [{prefix: /a}]
          services: [{name: one, port: 80}]
        - services: [{name: one, port: 80}]
        """);
  }

  private static void host(String name) {
    rig.apply("HTTPProxy/default/" + name, root(name));
  }

  private static void policy(String name, String target, String spec) {
    rig.apply("ExtensionPolicy/default/" + name, Lua.policy(name, target, spec));
  }

  private static String mark(String host, String path) {
    return mark(rig.http(), host, path);
  }

  private static String mark(Http http, String host, String path) {
    Http.Response response = http.get(path).host(host).send();
    return (response.status() + " " + response.header("x-lua")).trim();
  }

  @Test
  void aFilterOfTheSharedListenerWorksForItsTargetOnly() {
    host("filtered");
    policy("filtered", "name: filtered", "httpFilters: [" + Lua.filter(Lua.mark("v1")) + "]");
    Rig.awaitSeen("200 v1", () -> mark("filtered.example", "/"));
    assertThat(mark("filtered.example", "/a")).isEqualTo("200 v1");
    assertThat(mark("bystander.example", "/")).isEqualTo("200");

    policy("filtered", "name: filtered", "httpFilters: [" + Lua.filter(Lua.mark("v2")) + "]");
    Rig.awaitSeen("200 v2", () -> mark("filtered.example", "/"));

    rig.delete("ExtensionPolicy/default/filtered");
    Rig.awaitSeen("200", () -> mark("filtered.example", "/"));
  }

  @Test
  void aFilterCanBeForOneRoute() {
    host("routed");
    policy("routed", "name: routed, route: 0", "httpFilters: [" + Lua.filter(Lua.mark("a")) + "]");
    Rig.awaitSeen("200 a", () -> mark("routed.example", "/a"));
    assertThat(mark("routed.example", "/b")).isEqualTo("200");
  }

  @Test
  void aFilterWorksBehindTls() {
    rig.apply(
        "HTTPProxy/default/secure",
        Docs.secure("secure", "secure.example", "secretName: cert", "one"));
    policy("secure", "name: secure", "httpFilters: [" + Lua.filter(Lua.mark("tls")) + "]");
    Tls tls = Tls.sni("secure.example", CA);
    Rig.awaitSeen("200 tls", () -> mark(rig.https(tls), "secure.example", "/"));
    assertThat(mark("bystander.example", "/")).isEqualTo("200");
  }

  @Test
  void aPolicySpeaksToItsOwnFilterOfAVirtualHost() {
    host("vhost");
    policy(
        "vhost",
        "name: vhost",
        """
        httpFilters: [%s]
        perRoute: [%s]\
        """
            .formatted(Lua.filter(Lua.mark("default")), Lua.perRoute(Lua.mark("vhost"))));
    Rig.awaitSeen("200 vhost", () -> mark("vhost.example", "/"));
    assertThat(mark("vhost.example", "/a")).isEqualTo("200 vhost");
  }

  @Test
  void aPolicySpeaksToItsOwnFilterOfARoute() {
    host("route");
    policy(
        "route",
        "name: route, route: 1",
        """
        httpFilters: [%s]
        perRoute: [%s]\
        """
            .formatted(Lua.filter(Lua.mark("default")), Lua.perRoute(Lua.mark("rest"))));
    Rig.awaitSeen("200 rest", () -> mark("route.example", "/"));
    assertThat(mark("route.example", "/a")).isEqualTo("200");
  }

  @Test
  void aPolicySpeaksToTheListenersOwnFilters() {
    host("denied");
    policy(
        "denied",
        "name: denied, route: 0",
        """
        perRoute:
        - name: envoy.filters.http.rbac
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute
            rbac: {rules: {action: DENY, policies: {all: {
              permissions: [{any: true}], principals: [{any: true}]}}}}\
        """);
    Rig.awaitSeen("403", () -> mark("denied.example", "/a"));
    assertThat(mark("denied.example", "/")).isEqualTo("200");
  }

  @Test
  void aScriptForARouteNeedsNoFilterOfItsOwn() {
    host("script");
    policy("script", "name: script", "perRoute: [" + Lua.perRoute(Lua.mark("alone")) + "]");
    Rig.awaitSeen("200 alone", () -> mark("script.example", "/"));
    assertThat(mark("bystander.example", "/")).isEqualTo("200");
  }

  @Test
  void aWordToAFilterThatIsNotThereHasNoEffectAndDoesNoHarm() {
    host("deaf");
    policy(
        "deaf",
        "name: deaf",
        """
        perRoute:
        - name: buffer
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.buffer.v3.BufferPerRoute
            buffer: {max_request_bytes: 1}\
        """);
    Http.Response response = rig.http().post("/", "more").host("deaf.example").send();
    assertThat(response.status()).isEqualTo(200);
  }

  @Test
  void aPolicyForNobodySaysSo() {
    rig.put(
        "ExtensionPolicy/default/lost",
        Lua.policy("lost", "name: nowhere", "httpFilters: [" + Lua.filter(Lua.mark("x")) + "]"));
    rig.plane().awaitSaid("ExtensionPolicy/default/lost", "Programmed", "InvalidNew");
    rig.plane()
        .awaitMessage(
            "ExtensionPolicy/default/lost", "Valid", "HTTPProxy/default/nowhere does not exist");
  }
}
