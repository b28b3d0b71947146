// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edits in which no proxy is needed to find the mistake: everything that was served goes on, before
 * and after a restart of the control plane, and the author is told.
 */
@ParameterizedClass
@ValueSource(strings = {"real delta", "real sotw"})
record InvalidEditsTest(String kind) {
  @SuppressWarnings("NullAway.Init") // before the first test
  private static Scene scene;

  private static int tests;

  @BeforeParameterizedClassInvocation
  static void start(String kind) {
    scene = Scene.start(kind, "cert.yaml", Hosts.certificate());
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    scene.close();
  }

  private static Plane plane() {
    return scene.plane();
  }

  private static String next(String prefix) {
    return prefix + ++tests;
  }

  private static String proxy(String name, String routes) {
    return Docs.proxy(name, "virtualhost: {fqdn: %s}\n%s".formatted(Hosts.fqdn(name), routes));
  }

  private static void restart() {
    plane().down();
    plane().up();
  }

  /** Waits until the newest generation is held for a reason, and another one is served. */
  private static Plane.Said awaitHeld(String key, String reason, long generation, long served) {
    Plane.await(
        key + " generation " + generation + " is held: " + plane().said(key, "Programmed"),
        () -> {
          Plane.Said said = plane().said(key, "Programmed");
          return said.reason().equals(reason) && said.generation() == generation;
        });
    Plane.Said said = plane().said(key, "Programmed");
    assertThat(said.status()).isEqualTo("False");
    if (served > 0) {
      assertThat(said.message()).contains("serving generation " + served);
    }
    Plane.await(
        key + " serves generation " + served,
        () -> plane().object(key).get("servedGeneration").getAsLong() == served);
    return said;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          routes: [{services: [{name: one, port: 80}], timeoutPolicy: {response: 5 sec}}]
          routes: [{servces: [{name: one, port: 80}]}]
          routes: [{services: [{name: one, port: 80}]}, {conditions: [{prefix: /a}], oops: 1}, {conditions: [{prefix: /b}], services: [{name: two, port: 80}]}]
          routes: [{services: [{name: one, port: 80, weight: -1}]}]
          routes: [{services: [{name: one, port: 80}], jwtVerificationPolicy: {disabled: true}}]
          routes: [{services: [{name: nosuch, port: 80}]}]
          routes: [{services: [{name: one, port: 81}]}]
          includes: [{name: nosuch}]
          """)
  void aTypoCostsNothing(String routes) {
    String name = next("typo");
    String other = name + "o";
    plane().write(name + ".yaml", Docs.of(Hosts.good(name, "one"), Hosts.good(other, "one")));
    try (Watch watch = Watch.begin(scene, Watch.Probe.of(Hosts.fqdn(name), "200 one"))) {
      plane().write(name + ".yaml", Docs.of(proxy(name, routes), Hosts.good(other, "two")));
      awaitHeld("HTTPProxy/default/" + name, "Invalid", 2, 1);
      assertThat(plane().said("HTTPProxy/default/" + name, "Valid").status()).isEqualTo("False");
      scene.awaitGet(Hosts.fqdn(other), "/", "200 two");
      restart();
      watch.someMore();
      awaitHeld("HTTPProxy/default/" + name, "Invalid", 2, 1);
    }
    plane().write(name + ".yaml", Hosts.good(name, "two"));
    scene.awaitGet(Hosts.fqdn(name), "/", "200 two");
  }

  @Test
  void aSecretThatBecomesGarbageKeepsItsContent() {
    String name = next("cert");
    String second = name + "b";
    String third = name + "c";
    String secret = name + "-secret";
    plane()
        .write(secret + ".yaml", Docs.tlsSecret(secret, Scene.CA.issue("server")))
        .write(
            name + ".yaml",
            Docs.of(
                Docs.secure(name, Hosts.fqdn(name), "secretName: " + secret, "one"),
                Docs.secure(second, Hosts.fqdn(second), "secretName: " + secret, "two"),
                Docs.secure(third, Hosts.fqdn(third), "secretName: cert", "two")));
    try (Watch watch =
        Watch.begin(
            scene,
            Watch.Probe.secure(Hosts.fqdn(name), "200 one"),
            Watch.Probe.secure(Hosts.fqdn(second), "200 two"),
            Watch.Probe.secure(Hosts.fqdn(third), "200 two"))) {
      plane()
          .write(
              secret + ".yaml",
              """
              apiVersion: v1
              kind: Secret
              metadata: {name: %s}
              type: kubernetes.io/tls
              stringData: {tls.crt: garbage, tls.key: garbage}
              """
                  .formatted(secret));
      awaitHeld("Secret/default/" + secret, "Invalid", 2, 1);
      plane().awaitProgrammed("HTTPProxy/default/" + name, 1);
      restart();
      watch.someMore();
      awaitHeld("Secret/default/" + secret, "Invalid", 2, 1);
      plane().awaitProgrammed("HTTPProxy/default/" + name, 1);
    }
  }

  @Test
  void aSecretThatIsNoLongerACertificateKeepsItsContent() {
    String name = next("opaque");
    String secret = name + "-secret";
    plane()
        .write(secret + ".yaml", Docs.tlsSecret(secret, Scene.CA.issue("server")))
        .write(name + ".yaml", Docs.secure(name, Hosts.fqdn(name), "secretName: " + secret, "one"));
    try (Watch watch = Watch.begin(scene, Watch.Probe.secure(Hosts.fqdn(name), "200 one"))) {
      plane()
          .write(
              secret + ".yaml",
              """
              apiVersion: v1
              kind: Secret
              metadata: {name: %s}
              type: Opaque
              stringData: {password: x}
              """
                  .formatted(secret));
      awaitHeld("Secret/default/" + secret, "Conflict", 2, 1);
      restart();
      watch.someMore();
      awaitHeld("Secret/default/" + secret, "Conflict", 2, 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"prots,Invalid", "port: 8080,Conflict"})
  void aServiceWithATypoCostsNobodyAnything(String mistake, String reason) {
    String service = next("svc");
    String good = Yaml.service(service, Scene.port("one"));
    plane().write(service + ".yaml", good);
    Watch.Probe[] probes = new Watch.Probe[5];
    for (int i = 0; i < probes.length; i++) {
      String name = service + "-" + i;
      plane().write(name + ".yaml", Hosts.good(name, service));
      probes[i] = Watch.Probe.of(Hosts.fqdn(name), "200 one");
    }
    try (Watch watch = Watch.begin(scene, probes)) {
      plane()
          .write(
              service + ".yaml",
              reason.equals("Invalid")
                  ? good.replace("ports: [{name: http, port: 80}]", mistake + ": [{port: 80}]")
                  : good.replace(
                      "ports: [{name: http, port: 80}]", "ports: [{name: http, " + mistake + "}]"));
      awaitHeld("Service/default/" + service, reason, 2, 1);
      restart();
      watch.someMore();
      awaitHeld("Service/default/" + service, reason, 2, 1);
      plane().awaitProgrammed("HTTPProxy/default/" + service + "-0", 1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [{addresses: [127.0.0.1]}, {addresses: [127.0.0.999]}] | Invalid
          [{adresses: [127.0.0.1]}] | Invalid
          """)
  void aBadAddressCostsNothing(String endpoints, String reason) {
    String name = next("slice");
    String good = Yaml.service(name, Scene.port("one"));
    plane().write(name + "-s.yaml", good).write(name + ".yaml", Hosts.good(name, name));
    try (Watch watch = Watch.begin(scene, Watch.Probe.of(Hosts.fqdn(name), "200 one"))) {
      plane().write(name + "-s.yaml", good.replace("[{addresses: [127.0.0.1]}]", endpoints));
      String key = "EndpointSlice/default/" + name + "-" + Scene.port("one");
      Plane.await(key + " is told", () -> plane().said(key, "Programmed").reason().equals(reason));
      restart();
      watch.someMore();
      Plane.await(
          key + " is told again", () -> plane().said(key, "Programmed").reason().equals(reason));
    }
  }

  @Test
  void whoIsServedKeepsItsHost() {
    String name = next("host");
    plane().write(name + ".yaml", Hosts.good(name, "one"));
    try (Watch watch = Watch.begin(scene, Watch.Probe.of(Hosts.fqdn(name), "200 one"))) {
      plane()
          .write(
              "00-" + name + ".yaml",
              Docs.proxy(
                  "team-b/" + name,
                  "virtualhost: {fqdn: %s}\nroutes: [{directResponsePolicy: {statusCode: 200}}]"
                      .formatted(Hosts.fqdn(name))));
      Plane.Said said = awaitHeld("HTTPProxy/team-b/" + name, "Conflict", 1, 0);
      assertThat(said.message()).contains("HTTPProxy/default/" + name, name + ".yaml");
      restart();
      watch.someMore();
      awaitHeld("HTTPProxy/team-b/" + name, "Conflict", 1, 0);
    }
  }

  private static String guard(String name, String target, String policy) {
    return Docs.policy(
        name,
        """
        targetRef: {name: %s}
        perRoute:
        - name: envoy.filters.http.rbac
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute
        %s
        """
            .formatted(target, policy.indent(4)));
  }

  private static final String DENY =
      """
      rbac: {rules: {action: DENY, policies: {all: {permissions: [{any: true}], principals: [{any: true}]}}}}
      """;

  @ParameterizedTest
  @ValueSource(strings = {"unknown field", "wrong target", "wrong route"})
  void aGuardThatIsNotValidStaysInForce(String mistake) {
    String name = next("guard");
    plane()
        .write(name + ".yaml", Hosts.good(name, "one"))
        .write(name + "-p.yaml", guard(name, name, DENY));
    try (Watch watch = Watch.begin(scene, Watch.Probe.of(Hosts.fqdn(name), "403"))) {
      String bad =
          switch (mistake) {
            case "unknown field" -> guard(name, name, DENY.replace("rules", "ruels"));
            case "wrong target" -> guard(name, name + "x", DENY);
            default ->
                guard(name, name, DENY)
                    .replace(
                        "{name: " + name + "}\nperRoute",
                        "{name: " + name + ", route: 7}\nperRoute")
                    .replace(
                        "targetRef: {name: " + name + "}",
                        "targetRef: {name: " + name + ", route: 7}");
          };
      plane().write(name + "-p.yaml", bad);
      awaitHeld("ExtensionPolicy/default/" + name, "Invalid", 2, 1);
      restart();
      watch.someMore();
      awaitHeld("ExtensionPolicy/default/" + name, "Invalid", 2, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNewHostIsNotServedWithoutItsGuard(boolean refused) {
    String name = next("fresh");
    String bad =
        refused
            ? """
              rbac: {rules: {action: DENY, policies: {all: {permissions: [{url_path: {path: {safe_regex: {regex: "/[a-z0-9]{1,200}/x"}}}}], principals: [{any: true}]}}}}
              """
            : DENY.replace("rules", "ruels");
    try (Watch watch = Watch.begin(scene, Watch.Probe.of(Hosts.fqdn(name), "404"))) {
      plane().write(name + ".yaml", Docs.of(Hosts.good(name, "one"), guard(name, name, bad)));
      awaitHeld("HTTPProxy/default/" + name, "DependencyRejected", 1, 0);
      watch.someMore();
      restart();
      watch.someMore();
      awaitHeld("HTTPProxy/default/" + name, "DependencyRejected", 1, 0);
    }
    plane().write(name + ".yaml", Docs.of(Hosts.good(name, "one"), guard(name, name, DENY)));
    scene.awaitGet(Hosts.fqdn(name), "/", "403");
  }

  @Test
  void aHostThatWasServedWithoutAGuardGoesOn() {
    String name = next("open");
    plane().write(name + ".yaml", Hosts.good(name, "one"));
    try (Watch watch = Watch.begin(scene, Watch.Probe.of(Hosts.fqdn(name), "200 one"))) {
      plane().write(name + "-p.yaml", guard(name, name, DENY.replace("rules", "ruels")));
      awaitHeld("ExtensionPolicy/default/" + name, "InvalidNew", 1, 0);
      watch.someMore();
      plane()
          .awaitMessage(
              "HTTPProxy/default/" + name, "Programmed", "ExtensionPolicy/default/" + name);
    }
  }

  @Test
  void anIngressKeepsItsPath() {
    String name = next("path");
    String rule =
        """
        rules:
        - host: %s
          http:
            paths:
            - {path: /, pathType: Prefix, backend: {service: {name: %s, port: {number: 80}}}}
        """;
    plane().write(name + ".yaml", Docs.ingress(name, "", rule.formatted(Hosts.fqdn(name), "one")));
    try (Watch watch = Watch.begin(scene, Watch.Probe.of(Hosts.fqdn(name), "200 one"))) {
      plane()
          .write(
              "00-" + name + ".yaml",
              Docs.ingress("a-" + name, "", rule.formatted(Hosts.fqdn(name), "two")))
          .write(
              "01-" + name + ".yaml",
              Docs.proxy(
                  "a-" + name,
                  "virtualhost: {fqdn: %s}\nroutes: [{services: [{name: two, port: 80}]}]"
                      .formatted(Hosts.fqdn(name))));
      awaitHeld("HTTPProxy/default/a-" + name, "Conflict", 1, 0);
      restart();
      watch.someMore();
      awaitHeld("HTTPProxy/default/a-" + name, "Conflict", 1, 0);
    }
  }

  @Test
  void whatItsOwnerDeletedIsGoneAndThoseWhoUseItAreTold() {
    String name = next("gone");
    plane()
        .write(name + "-s.yaml", Yaml.service(name, Scene.port("one")))
        .write(name + ".yaml", Hosts.good(name, name));
    scene.awaitGet(Hosts.fqdn(name), "/", "200 one");
    plane().delete(name + "-s.yaml");
    scene.awaitGet(Hosts.fqdn(name), "/", "503");
    plane().awaitMessage("HTTPProxy/default/" + name, "Programmed", "does not exist");
    assertThat(plane().said("HTTPProxy/default/" + name, "Programmed").status()).isEqualTo("False");
    assertThat(List.of(plane().said("HTTPProxy/default/" + name, "Valid").status()))
        .containsExactly("False");
  }
}
