// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A script that Envoy refuses: its author is told, those bytes go out once, all else goes on, and
 * an edit heals. Each test has its own Envoy, as it counts what that Envoy refused.
 */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
class BrokenLuaTest {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");
  private static final String SECURE = "HTTPProxy/default/secure";
  private static final String POLICY = "ExtensionPolicy/default/policy";
  private static final String RDS_REJECTED = "http.ingress_http.rds.ingress_http.update_rejected";

  private final String protocol;
  private Rig rig;

  @SuppressWarnings("NullAway.Init") // before each test
  BrokenLuaTest(String protocol) {
    this.protocol = protocol;
  }

  @BeforeEach
  void start() {
    rig =
        Rig.start(
            protocol,
            "one.yaml",
            Yaml.service("one", ONE.port()),
            "base.yaml",
            Docs.of(Docs.tlsSecret("cert", CA.issue("server")), host("shop"), host("other")),
            "HTTPProxy_default_secure.yaml",
            Docs.secure("secure", "secure.example", "secretName: cert", "one"));
    rig.plane().awaitProgrammed("HTTPProxy/default/shop", 1);
    rig.plane().awaitProgrammed("HTTPProxy/default/other", 1);
    rig.plane().awaitProgrammed(SECURE, 1);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private static String host(String name) {
    return Yaml.root(name, name + ".example", "routes: [{services: [{name: one, port: 80}]}]");
  }

  private static String filter(String script) {
    return Lua.policy("policy", "name: shop", "httpFilters: [" + Lua.filter(script) + "]");
  }

  private static String perRoute(String script) {
    return Lua.policy(
        "policy",
        "name: shop",
        "httpFilters: [%s]\nperRoute: [%s]"
            .formatted(Lua.filter("-- nothing"), Lua.perRoute(script)));
  }

  private String mark(String host) {
    Http.Response response = rig.http().get("/").host(host).send();
    return (response.status() + " " + response.header("x-lua")).trim();
  }

  private long nacks(String type) {
    return rig.sum("holdfast_nacks_total", "type=\"" + type + "\"");
  }

  /** Changes of resources that the script is not in: routes, clusters and endpoints. */
  private void unrelatedEditsArrive() {
    Http secure = rig.https(Tls.sni("secure.example", CA));
    rig.write("two.yaml", Yaml.service("two", TWO.port()));
    rig.apply(SECURE, Docs.secure("secure", "secure.example", "secretName: cert", "two"));
    Rig.awaitSeen("200 two", secure, "secure.example", "/");
    rig.write("two.yaml", Yaml.service("two", ONE.port()));
    Rig.awaitSeen("200 one", secure, "secure.example", "/");
  }

  private Plane.Said rejected(String reason) {
    Plane.Said said = rig.plane().awaitSaid(POLICY, "Programmed", reason);
    assertThat(said.status()).isEqualTo("False");
    assertThat(said.message())
        .contains("rejected by envoy 1.")
        .contains("script load error")
        .hasSizeLessThan(1024)
        .doesNotContainPattern("\\p{Cntrl}");
    return said;
  }

  private void othersAreStillProgrammed() {
    for (String name : new String[] {"shop", "other", "secure"}) {
      assertThat(rig.plane().said("HTTPProxy/default/" + name, "Programmed").status())
          .as(name)
          .isEqualTo("True");
    }
  }

  @Test
  void aBrokenWordToARouteIsRefusedOnceAndHealsWithAnEdit() {
    rig.put(POLICY, perRoute(Lua.BROKEN));
    assertThat(rejected("RejectedNew").message()).contains("RouteConfiguration ingress_http");
    assertThat(mark("shop.example")).isEqualTo("200");
    othersAreStillProgrammed();
    assertThat(nacks("RouteConfiguration")).isEqualTo(1);

    unrelatedEditsArrive();
    assertThat(nacks("RouteConfiguration")).isEqualTo(1);
    assertThat(rig.admin().stat(RDS_REJECTED)).isEqualTo(1);

    rig.apply(POLICY, perRoute(Lua.mark("well")));
    Rig.awaitSeen("200 well", () -> mark("shop.example"));
    assertThat(mark("other.example")).isEqualTo("200");
    assertThat(rig.admin().stat(RDS_REJECTED)).isEqualTo(1);
  }

  @Test
  void aWordToARouteThatBreaksLeavesTheOldOneInForce() {
    rig.apply(POLICY, perRoute(Lua.mark("v1")));
    Rig.awaitSeen("200 v1", () -> mark("shop.example"));

    rig.put(POLICY, perRoute(Lua.BROKEN));
    Plane.Said said = rejected("Rejected");
    assertThat(said.generation()).isEqualTo(2);
    assertThat(said.message()).contains("generation 2 rejected").contains("serving generation 1");
    assertThat(mark("shop.example")).isEqualTo("200 v1");
    assertThat(nacks("RouteConfiguration")).isEqualTo(1);

    rig.apply(POLICY, perRoute(Lua.mark("v3")));
    Rig.awaitSeen("200 v3", () -> mark("shop.example"));
    assertThat(nacks("RouteConfiguration")).isEqualTo(1);
  }

  @Test
  void aFilterThatBreaksLeavesTheOldOneInForce() {
    rig.apply(POLICY, filter(Lua.mark("v1")));
    Rig.awaitSeen("200 v1", () -> mark("shop.example"));

    rig.put(POLICY, filter(Lua.BROKEN));
    assertThat(rejected("Rejected").message())
        .contains("default/policy/lua")
        .contains("serving generation 1");
    assertThat(mark("shop.example")).isEqualTo("200 v1");
    assertThat(mark("other.example")).isEqualTo("200");
    othersAreStillProgrammed();
    assertThat(nacks("TypedExtensionConfig")).isEqualTo(1);

    unrelatedEditsArrive();
    rig.apply(
        "HTTPProxy/default/third",
        Yaml.root("third", "third.example", "routes: [{services: [{name: two, port: 80}]}]"));
    Rig.awaitSeen("200 one", rig.http(), "third.example", "/");
    assertThat(mark("shop.example")).isEqualTo("200 v1");
    assertThat(nacks("TypedExtensionConfig")).isEqualTo(1);

    rig.apply(POLICY, filter(Lua.mark("v3")));
    Rig.awaitSeen("200 v3", () -> mark("shop.example"));
    assertThat(nacks("TypedExtensionConfig")).isEqualTo(1);
  }

  @Test
  void aBrokenNewFilterIsRefusedOnceAndHealsWithAnEdit() {
    rig.put(POLICY, filter(Lua.BROKEN));
    rejected("RejectedNew");
    Rig.awaitSeen("200", () -> mark("shop.example"));
    assertThat(mark("other.example")).isEqualTo("200");
    assertThat(nacks("TypedExtensionConfig")).isEqualTo(1);

    unrelatedEditsArrive();
    assertThat(nacks("TypedExtensionConfig")).isEqualTo(1);

    rig.apply(POLICY, filter(Lua.mark("well")));
    Rig.awaitSeen("200 well", () -> mark("shop.example"));
    assertThat(nacks("TypedExtensionConfig")).isEqualTo(1);
  }
}
