// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Secrets of other namespaces, which their owners lend. */
class CertificateDelegationTest {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static final Backend INSIDE = Backend.startTls("inside", CA);
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig =
        Rig.start(
            "delta",
            "base.yaml",
            Docs.of(
                Yaml.service("one", ONE.port()),
                Yaml.service("inside", INSIDE.port()),
                Docs.tlsSecret("certs/shared", CA.issue("shared")),
                Docs.tlsSecret("certs/private", CA.issue("private")),
                Docs.caSecret("certs/authority", CA)));
  }

  @AfterAll
  static void stop() {
    rig.close();
    ONE.close();
    INSIDE.close();
  }

  private static String seen(String host) {
    return Rig.seen(rig.https(Tls.sni(host, CA)), host, "/");
  }

  @Test
  void aSecretIsUsedAsLongAsItsOwnerAllowsIt() {
    String key = "HTTPProxy/default/lent";
    rig.put(key, Docs.secure("lent", "lent.example", "secretName: certs/shared", "one"));
    rig.plane().awaitSaid(key, "Programmed", "InvalidNew");
    rig.plane().awaitMessage(key, "Valid", "Secret/certs/shared is in another namespace");
    rig.plane().awaitMessage(key, "Valid", "TLSCertificateDelegation");

    rig.put(
        "TLSCertificateDelegation/certs/lend", Docs.delegation("certs/lend", "shared", "default"));
    rig.plane().awaitProgrammed(key, 1);
    Rig.awaitSeen("200 one", () -> seen("lent.example"));

    rig.delete("TLSCertificateDelegation/certs/lend");
    rig.plane().awaitSaid(key, "Programmed", "InvalidNew");
    // The last TLS host went, and the listener with it; or others keep it.
    Plane.await(
        "no longer served",
        () -> {
          OptionalInt port = rig.admin().listenerPort("ingress_https");
          return port.isEmpty()
              || Rig.seen(
                      Http.on(port.getAsInt()).with(Tls.sni("lent.example", CA)),
                      "lent.example",
                      "/")
                  .equals(Rig.BROKEN);
        });
  }

  @Test
  void aDelegationForAnotherNamespaceOrSecretDoesNotHelp() {
    rig.put(
        "TLSCertificateDelegation/certs/others",
        Docs.of(
            Docs.delegation("certs/others", "private", "elsewhere"),
            Docs.delegation("certs/more", "authority", "default")));
    String key = "HTTPProxy/default/denied";
    rig.put(key, Docs.secure("denied", "denied.example", "secretName: certs/private", "one"));
    rig.plane().awaitSaid(key, "Programmed", "InvalidNew");
    assertThat(rig.plane().said(key, "Valid").status()).isEqualTo("False");
  }

  @Test
  void everybodyMayUseWhatIsLentToAll() {
    rig.write("all.yaml", Docs.delegation("certs/all", "shared", "*"));
    rig.apply(
        "HTTPProxy/default/all",
        Docs.secure("all", "all.example", "secretName: certs/shared", "one"));
    Rig.awaitSeen("200 one", () -> seen("all.example"));
  }

  @Test
  void anAuthorityIsLentLikeACertificate() {
    rig.write("authority.yaml", Docs.delegation("certs/authority", "authority", "default"));
    rig.apply(
        "HTTPProxy/default/checks",
        Yaml.root(
            "checks",
            "checks.example",
            """
            routes:
            - services:
              - {name: inside, port: 80, protocol: tls,
                 validation: {caSecret: certs/authority, subjectName: localhost}}
            """));
    Rig.awaitSeen("200 inside", rig.http(), "checks.example", "/");
  }

  @Test
  void aServiceWhoseAuthorityIsNotLentGetsNoRequests() {
    String key = "HTTPProxy/default/unchecked";
    rig.put(
        key,
        Yaml.root(
            "unchecked",
            "unchecked.example",
            """
            routes:
            - services:
              - {name: inside, port: 80, protocol: tls,
                 validation: {caSecret: certs/private, subjectName: localhost}}
            """));
    Plane.await("said", () -> rig.plane().said(key, "Valid").status().equals("False"));
    rig.plane().awaitMessage(key, "Valid", "Secret/certs/private is in another namespace");
    Rig.awaitSeen("503", rig.http(), "unchecked.example", "/");
    assertThat(INSIDE.requests()).noneMatch(request -> request.host().equals("unchecked.example"));
  }
}
