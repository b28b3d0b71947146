// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets, authorities and clusters that are in order, and that Envoy refuses all the same. */
@ParameterizedClass
@ValueSource(strings = {"real delta", "real sotw", "fake delta", "fake sotw"})
record OtherResourcesTest(String kind) {
  @SuppressWarnings("NullAway.Init") // before the first test
  private static Scene scene;

  @BeforeParameterizedClassInvocation
  static void start(String kind) {
    scene =
        Scene.start(
            kind,
            "cert.yaml",
            Hosts.certificate(),
            "bystanders.yaml",
            Docs.of(Hosts.good("plain", false, "one"), Hosts.good("safe", true, "one")));
    scene.plane().awaitProgrammed("HTTPProxy/default/plain", 1);
    scene.plane().awaitProgrammed("HTTPProxy/default/safe", 1);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    scene.close();
  }

  private static void bystandersAreServed() {
    scene.awaitSeen(false, Hosts.fqdn("plain"), "/", "200 one");
    scene.awaitSeen(true, Hosts.fqdn("safe"), "/", "200 one");
    for (String name : new String[] {"plain", "safe"}) {
      assertThat(scene.plane().said("HTTPProxy/default/" + name, "Programmed").status())
          .as(name)
          .isEqualTo("True");
    }
  }

  private static String secure(String name, String secret) {
    return Docs.secure(name, Hosts.fqdn(name), "secretName: " + secret, "one");
  }

  @Test
  void aBadSecretIsReplacedByTheLastGoodOneAtOnce() {
    Plane plane = scene.plane();
    plane.write("key.yaml", Docs.tlsSecret("key", Scene.CA.issue("first")));
    plane.write("keyed.yaml", secure("keyed", "key"));
    plane.awaitProgrammed("HTTPProxy/default/keyed", 1);
    scene.awaitSeen(true, Hosts.fqdn("keyed"), "/", "200 one");

    plane.write("key.yaml", Docs.tlsSecret("key", Scene.CA.issueMustStaple("second")));
    Plane.Said said = plane.awaitSaid("Secret/default/key", "Programmed", "Rejected");
    assertThat(said.message())
        .startsWith("generation 2 rejected by envoy 1.")
        .contains("in Secret default/key: ")
        .endsWith("serving generation 1");
    scene.awaitSeen(true, Hosts.fqdn("keyed"), "/", "200 one");
    assertThat(scene.held()).containsExactly("key@2/1 Rejected");
    bystandersAreServed();

    // The listener of others changes, which Envoy builds anew with the secret that it has.
    plane.write("next.yaml", secure("next", "cert"));
    plane.awaitProgrammed("HTTPProxy/default/next", 1);
    scene.awaitSeen(true, Hosts.fqdn("keyed"), "/", "200 one");

    plane.write("key.yaml", Docs.tlsSecret("key", Scene.CA.issue("third")));
    plane.awaitProgrammed("Secret/default/key", 3);
    scene.awaitSeen(true, Hosts.fqdn("keyed"), "/", "200 one");
    assertThat(scene.held()).isEmpty();
  }

  @Test
  void aBadNewSecretHurtsOnlyItsOwnHost() {
    Plane plane = scene.plane();
    plane.write(
        "fresh.yaml",
        Docs.of(
            Docs.tlsSecret("fresh", Scene.CA.issueMustStaple("fresh")), secure("fresh", "fresh")));
    Plane.Said said = plane.awaitSaid("Secret/default/fresh", "Programmed", "RejectedNew");
    assertThat(said.message()).contains("in Secret default/fresh: ");
    bystandersAreServed();
    plane.awaitSaid("HTTPProxy/default/fresh", "Programmed", "DependencyRejected");

    plane.write(
        "fresh.yaml",
        Docs.of(Docs.tlsSecret("fresh", Scene.CA.issue("fresh")), secure("fresh", "fresh")));
    plane.awaitProgrammed("HTTPProxy/default/fresh", 1);
    scene.awaitSeen(true, Hosts.fqdn("fresh"), "/", "200 one");
    bystandersAreServed();
    plane.delete("fresh.yaml");
  }

  @Test
  void aBadAuthorityForAServiceIsHeldAndOthersGoOn() {
    TestCa authority = TestCa.create("odd");
    Plane plane = scene.plane();
    plane.write("ca.yaml", ca(authority.certificatePem()));
    plane.write(
        "upstream.yaml",
        Yaml.root(
            "upstream",
            Hosts.fqdn("upstream"),
            """
            routes:
            - services:
              - {name: one, port: 80, protocol: tls, validation: {caSecret: ca, subjectName: x}}
            """));
    plane.awaitProgrammed("HTTPProxy/default/upstream", 1);
    plane.write("ca.yaml", ca(authority.certificateUntil30FebruaryPem()));
    Plane.Said said = plane.awaitSaid("Secret/default/ca", "Programmed", "Rejected");
    assertThat(said.message()).contains("in Secret ").endsWith("serving generation 1");
    assertThat(scene.held()).containsExactly("ca@2/1 Rejected");
    bystandersAreServed();
    plane.delete("upstream.yaml").delete("ca.yaml");
    scene.awaitHeld();
  }

  private static String ca(String pem) {
    return """
        apiVersion: v1
        kind: Secret
        metadata: {name: ca}
        type: Opaque
        stringData:
          ca.crt: |
        %s"""
        .formatted(pem.indent(4));
  }

  @Test
  void aClusterThatEnvoyRefusesKeepsItsRoutesWhereTheyWere() {
    Plane plane = scene.plane();
    plane.write("c.yaml", cluster("one", ""));
    plane.awaitProgrammed("HTTPProxy/default/c", 1);
    plane.write("c.yaml", cluster("two", "loadBalancerPolicy: {strategy: Cookie}"));
    Plane.Said said = plane.awaitSaid("HTTPProxy/default/c", "Programmed", "Rejected");
    assertThat(said.message()).contains("in Cluster ").endsWith("serving generation 1");
    scene.awaitSeen(false, Hosts.fqdn("c"), "/", "200 one");
    bystandersAreServed();
    plane.delete("c.yaml");
  }

  private static String cluster(String service, String more) {
    return Yaml.root(
        "c",
        Hosts.fqdn("c"),
        """
        routes:
        - services: [{port: 80, name: %s}]
          %s
        """
            .formatted(service, more));
  }
}
