// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts with certificates of their own. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record TlsHostsTest(String protocol) {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Rig rig;

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    rig =
        Rig.start(
            protocol,
            "services.yaml",
            Docs.of(Yaml.service("one", ONE.port()), Yaml.service("two", TWO.port())),
            "secrets.yaml",
            Docs.of(
                Docs.tlsSecret("cert-a", CA.issue("a")), Docs.tlsSecret("cert-b", CA.issue("b"))),
            "hosts.yaml",
            Docs.of(
                Docs.secure("a", "a.example", "secretName: cert-a", "one"),
                Docs.secure("b", "b.example", "secretName: cert-b", "two")));
    rig.plane().awaitProgrammed("HTTPProxy/default/a", 1);
    rig.plane().awaitProgrammed("HTTPProxy/default/b", 1);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  private static String peer(String host) {
    Tls tls = Tls.sni(host, CA);
    return tls.peer(rig.https(tls).port());
  }

  private static Http host(String sni) {
    return rig.https(Tls.sni(sni, CA));
  }

  @Test
  void eachHostShowsItsOwnCertificate() {
    Rig.awaitSeen("200 one", host("a.example"), "a.example", "/");
    Rig.awaitSeen("200 two", host("b.example"), "b.example", "/");
    assertThat(peer("a.example")).isEqualTo("CN=a");
    assertThat(peer("b.example")).isEqualTo("CN=b");
    assertThat(Rig.seen(host("c.example"), "c.example", "/")).isEqualTo(Rig.BROKEN);
    assertThat(Rig.seen(host(""), "a.example", "/")).isEqualTo(Rig.BROKEN);
  }

  @Test
  void aRequestForAnotherHostOnTheConnectionIsMisdirected() {
    Rig.awaitSeen("421", host("a.example"), "b.example", "/");
  }

  @Test
  void aRequestForAnotherHostOfTheWildcardIsMisdirected() {
    rig.apply(
        "HTTPProxy/default/wild",
        Docs.secure("wild", "\"*.wild.example\"", "secretName: cert-a", "one"));
    rig.apply(
        "HTTPProxy/default/tame",
        Docs.secure("tame", "tame.wild.example", "secretName: cert-b", "two"));
    Http wild = host("x.wild.example");

    Rig.awaitSeen("200 one", wild, "x.wild.example", "/");
    Rig.awaitSeen("200 one", wild, "X.wild.example:8443", "/");
    Rig.awaitSeen("200 two", host("tame.wild.example"), "tame.wild.example", "/");
    assertThat(Rig.seen(wild, "tame.wild.example", "/")).isEqualTo("421");
    assertThat(Rig.seen(wild, "y.wild.example", "/")).isEqualTo("421");
    assertThat(Rig.seen(host("x.y.wild.example"), "y.wild.example", "/")).isEqualTo("421");
    assertThat(Rig.seen(host("x.y.wild.example"), "x.y.wild.example", "/")).isEqualTo("404");
  }

  @Test
  void aRenewedCertificateKeepsItsNameAndIsShown() {
    rig.put("Secret/default/renewed", Docs.tlsSecret("renewed", CA.issue("old")));
    rig.apply(
        "HTTPProxy/default/renewed",
        Docs.secure("renewed", "renewed.example", "secretName: renewed", "one"));
    Rig.awaitSeen("CN=old", () -> peer("renewed.example"));

    rig.apply("Secret/default/renewed", Docs.tlsSecret("renewed", CA.issue("new")));
    Rig.awaitSeen("CN=new", () -> peer("renewed.example"));
    assertThat(secrets()).contains("default/renewed").doesNotHaveDuplicates();
    assertThat(rig.generation("HTTPProxy/default/renewed")).isEqualTo(1);
  }

  private static List<String> secrets() {
    return rig.admin().configDump("dynamic_active_secrets").stream()
        .map((JsonObject secret) -> secret.get("name").getAsString())
        .toList();
  }

  @Test
  void aMinimumVersionTurnsOlderClientsAway() {
    rig.apply(
        "HTTPProxy/default/modern",
        Docs.secure(
            "modern",
            "modern.example",
            "secretName: cert-a, minimumProtocolVersion: \"1.3\"",
            "one"));
    Tls tls = Tls.sni("modern.example", CA);
    Rig.awaitSeen("200 one", rig.https(tls.versions("TLSv1.3")), "modern.example", "/");
    assertThat(Rig.seen(rig.https(tls.versions("TLSv1.2")), "modern.example", "/"))
        .isEqualTo(Rig.BROKEN);
    assertThat(Rig.seen(rig.https(Tls.sni("a.example", CA).versions("TLSv1.2")), "a.example", "/"))
        .isEqualTo("200 one");
  }

  @Test
  void aMaximumVersionIsNotExceeded() {
    rig.apply(
        "HTTPProxy/default/old",
        Docs.secure(
            "old", "old.example", "secretName: cert-a, maximumProtocolVersion: \"1.2\"", "one"));
    Tls tls = Tls.sni("old.example", CA);
    Rig.awaitSeen("200 one", rig.https(tls.versions("TLSv1.2")), "old.example", "/");
    assertThat(Rig.seen(rig.https(tls.versions("TLSv1.3")), "old.example", "/"))
        .isEqualTo(Rig.BROKEN);
  }

  @Test
  void aHostWaitsForItsSecretWithoutBotheringOthers() {
    rig.put(
        "HTTPProxy/default/early",
        Docs.secure("early", "early.example", "secretName: late", "one"));
    Plane.Said said = rig.plane().awaitSaid("HTTPProxy/default/early", "Programmed", "InvalidNew");
    assertThat(said.status()).isEqualTo("False");
    rig.plane()
        .awaitMessage("HTTPProxy/default/early", "Valid", "Secret/default/late does not exist");
    assertThat(Rig.seen(host("a.example"), "a.example", "/")).isEqualTo("200 one");

    rig.put("Secret/default/late", Docs.tlsSecret("late", CA.issue("late")));
    rig.plane().awaitProgrammed("HTTPProxy/default/early", 1);
    Rig.awaitSeen("200 one", host("early.example"), "early.example", "/");
    assertThat(peer("early.example")).isEqualTo("CN=late");
  }
}
