// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients that must, or may, show who they are. */
class ClientCertificatesTest {
  private static final TestCa CA = TestCa.create("authority");
  private static final TestCa STRANGERS = TestCa.create("strangers");
  private static final Backend ONE = Backend.start("one");
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig =
        Rig.start(
            "delta",
            "base.yaml",
            Docs.of(
                Yaml.service("one", ONE.port()),
                Docs.tlsSecret("cert", CA.issue("server")),
                Docs.caSecret("clients", CA)));
  }

  @AfterAll
  static void stop() {
    rig.close();
    ONE.close();
  }

  private static void host(String name, String validation) {
    rig.apply(
        "HTTPProxy/default/" + name,
        Docs.secure(
            name,
            name + ".example",
            "secretName: cert, clientValidation: {" + validation + "}",
            "one"));
  }

  private static String nobody(String name) {
    return Rig.seen(rig.https(Tls.sni(name + ".example", CA)), name + ".example", "/");
  }

  private static String friend(String name) {
    Tls tls = Tls.sni(name + ".example", CA).as(CA.issue("friend"));
    return Rig.seen(rig.https(tls), name + ".example", "/");
  }

  private static String stranger(String name) {
    Tls tls = Tls.sni(name + ".example", CA).as(STRANGERS.issue("stranger"));
    return Rig.seen(rig.https(tls), name + ".example", "/");
  }

  @Test
  void onlyClientsOfTheAuthorityGetIn() {
    host("required", "caSecret: clients");
    Rig.awaitSeen("200 one", () -> friend("required"));
    assertThat(nobody("required")).isEqualTo(Rig.BROKEN);
    assertThat(stranger("required")).isEqualTo(Rig.BROKEN);
  }

  @Test
  void anOptionalCertificateMustBeRightIfItIsShown() {
    host("optional", "caSecret: clients, optionalClientCertificate: true");
    Rig.awaitSeen("200 one", () -> friend("optional"));
    assertThat(nobody("optional")).isEqualTo("200 one");
    assertThat(stranger("optional")).isEqualTo(Rig.BROKEN);
  }

  @Test
  void aCertificateThatIsNotCheckedMustBeThereIfThereIsAnAuthority() {
    host("skip", "caSecret: clients, skipClientCertValidation: true");
    Rig.awaitSeen("200 one", () -> friend("skip"));
    assertThat(stranger("skip")).isEqualTo("200 one");
    assertThat(nobody("skip")).isEqualTo(Rig.BROKEN);
  }

  @Test
  void aCertificateThatIsNotCheckedIsAskedForAndNotNeededIfThereIsNoAuthority() {
    host("any", "skipClientCertValidation: true");
    Rig.awaitSeen("200 one", () -> friend("any"));
    assertThat(stranger("any")).isEqualTo("200 one");
    assertThat(nobody("any")).isEqualTo("200 one");
  }

  private static String as(String name, TestCa.Identity identity) {
    Tls tls = Tls.sni(name + ".example", CA).as(identity);
    return Rig.seen(rig.https(tls), name + ".example", "/");
  }

  @Test
  void aCertificateThatIsRevokedIsTurnedAwayAndABadListRevokesNoLess() {
    TestCa.Identity lost = CA.issue("lost");
    rig.put("Secret/default/crl", Docs.revocations("crl", CA.revocationListPem(lost)));
    host("revoked", "caSecret: clients, crlSecret: crl, crlOnlyVerifyLeafCert: true");
    Rig.awaitSeen("200 one", () -> friend("revoked"));
    assertThat(as("revoked", lost)).isEqualTo(Rig.BROKEN);

    rig.put("Secret/default/crl", Docs.revocations("crl", CA.certificatePem()));
    rig.plane().awaitSaid("Secret/default/crl", "Valid", "ErrorPresent");
    assertThat(as("revoked", lost)).isEqualTo(Rig.BROKEN);
    assertThat(friend("revoked")).isEqualTo("200 one");

    rig.apply("Secret/default/crl", Docs.revocations("crl", CA.revocationListPem()));
    Rig.awaitSeen("200 one", () -> as("revoked", lost));
  }

  @Test
  void aHostWhoseListIsMissingIsNotServed() {
    rig.put(
        "HTTPProxy/default/listless",
        Docs.secure(
            "listless",
            "listless.example",
            "secretName: cert, clientValidation: {caSecret: clients, crlSecret: none}",
            "one"));
    rig.plane().awaitSaid("HTTPProxy/default/listless", "Valid", "ErrorPresent");

    assertThat(friend("listless")).isEqualTo(Rig.BROKEN);
    assertThat(Rig.seen(rig.http(), "listless.example", "/")).isEqualTo("404");
  }

  @Test
  void theServiceIsToldWhoTheClientIs() {
    host(
        "told",
        "caSecret: clients, forwardClientCertificate: {subject: true, cert: true, chain: true, dns:"
            + " true, uri: true}");
    Tls tls = Tls.sni("told.example", CA).as(CA.issue("friend"));
    Rig.awaitSeen("200 one", () -> friend("told"));

    String header =
        rig.https(tls)
            .get("/")
            .host("told.example")
            .header("x-forwarded-client-cert", "Subject=\"CN=liar\"")
            .send()
            .echo()
            .header("x-forwarded-client-cert");
    assertThat(header)
        .contains("Subject=\"CN=friend\"", "Cert=\"", "Chain=\"", "DNS=localhost")
        .doesNotContain("liar");
  }

  @Test
  void anAuthorityThatChangesIsBelievedFromThenOn() {
    rig.put("Secret/default/changing", Docs.caSecret("changing", CA));
    host("changing", "caSecret: changing");
    Rig.awaitSeen("200 one", () -> friend("changing"));

    rig.apply("Secret/default/changing", Docs.caSecret("changing", STRANGERS));
    Rig.awaitSeen("200 one", () -> stranger("changing"));
    assertThat(friend("changing")).isEqualTo(Rig.BROKEN);
  }
}
