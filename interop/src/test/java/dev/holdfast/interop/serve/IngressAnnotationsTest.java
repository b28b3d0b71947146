// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Echo;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the annotations of an Ingress do. */
class IngressAnnotationsTest {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static Rig rig;

  @BeforeAll
  static void start() {
    ONE.answer(IngressAnnotationsTest::answer);
    rig =
        Rig.start(
            "delta",
            "base.yaml",
            Docs.of(
                Yaml.service("one", ONE.port()),
                Docs.tlsSecret("cert", CA.issue("ingress")),
                Docs.tlsSecret("certs/far", CA.issue("far"))));
  }

  @AfterAll
  static void stop() {
    rig.close();
    ONE.close();
  }

  private static Answer answer(Echo echo) {
    return switch (echo.path()) {
      case "/fail" -> Answer.OK.status(500);
      case "/slow" -> Answer.OK.after(Duration.ofSeconds(5));
      default -> Answer.OK;
    };
  }

  private static String rules(String host) {
    return "rules: [" + IngressTest.rule(host, IngressTest.path("Prefix", "/", "one")) + "]\n";
  }

  private static void ingress(String name, String annotations) {
    rig.apply("Ingress/default/" + name, Docs.ingress(name, annotations, rules(name + ".example")));
  }

  private static void secure(String name, String annotations, String secret) {
    rig.apply(
        "Ingress/default/" + name,
        Docs.ingress(
            name,
            annotations,
            "tls: [{hosts: [%s.example], secretName: %s}]\n%s"
                .formatted(name, secret, rules(name + ".example"))));
  }

  private static long asked(String host) {
    return ONE.requests().stream().filter(echo -> echo.host().equals(host)).count();
  }

  @Test
  void withoutLeaveThereIsNoPlainHttp() {
    secure("closed", "kubernetes.io/ingress.allow-http: \"false\"", "cert");
    Rig.awaitSeen(
        "200 one", () -> Rig.seen(rig.https(Tls.sni("closed.example", CA)), "closed.example", "/"));
    assertThat(Rig.seen(rig.http(), "closed.example", "/")).isEqualTo("404");
  }

  @Test
  void plainRequestsAreSentToTls() {
    secure("forced", "ingress.kubernetes.io/force-ssl-redirect: \"true\"", "cert");
    Rig.awaitSeen("301", rig.http(), "forced.example", "/x");
    assertThat(rig.http().get("/x").host("forced.example").send().header("location"))
        .isEqualTo("https://forced.example/x");
    Rig.awaitSeen(
        "200 one", () -> Rig.seen(rig.https(Tls.sni("forced.example", CA)), "forced.example", "/"));
  }

  @Test
  void whatFailsIsTriedAgain() {
    ingress("retried", "projectcontour.io/retry-on: 5xx, projectcontour.io/num-retries: \"2\"");
    Rig.awaitSeen("200 one", rig.http(), "retried.example", "/");
    long before = asked("retried.example");
    assertThat(Rig.seen(rig.http(), "retried.example", "/fail")).isEqualTo("500 one");
    assertThat(asked("retried.example") - before).isEqualTo(3);
  }

  @Test
  void nothingIsTriedAgainUnlessSomebodySaysWhen() {
    ingress("once", "projectcontour.io/num-retries: \"2\"");
    Rig.awaitSeen("500 one", rig.http(), "once.example", "/fail");
    long before = asked("once.example");
    assertThat(Rig.seen(rig.http(), "once.example", "/fail")).isEqualTo("500 one");
    assertThat(asked("once.example") - before).isEqualTo(1);
  }

  @Test
  void minusOneRetriesAreNone() {
    ingress("never", "projectcontour.io/retry-on: 5xx, projectcontour.io/num-retries: \"-1\"");
    Rig.awaitSeen("500 one", rig.http(), "never.example", "/fail");
    long before = asked("never.example");
    assertThat(Rig.seen(rig.http(), "never.example", "/fail")).isEqualTo("500 one");
    assertThat(asked("never.example") - before).isEqualTo(1);
  }

  @Test
  void eachTryHasItsTime() {
    ingress(
        "impatient",
        "projectcontour.io/retry-on: 5xx, projectcontour.io/num-retries: \"1\","
            + " projectcontour.io/per-try-timeout: 100ms");
    Rig.awaitSeen("200 one", rig.http(), "impatient.example", "/");
    long before = asked("impatient.example");
    assertThat(Rig.seen(rig.http(), "impatient.example", "/slow")).isEqualTo("504");
    // Envoy gives up a try without knowing whether the service has read it yet.
    Plane.awaitAsserted(() -> assertThat(asked("impatient.example") - before).isEqualTo(2));
  }

  @Test
  void anAnswerHasItsTime() {
    ingress("timed", "projectcontour.io/response-timeout: 100ms");
    Rig.awaitSeen("200 one", rig.http(), "timed.example", "/");
    assertThat(Rig.seen(rig.http(), "timed.example", "/slow")).isEqualTo("504");
  }

  @Test
  void theOldNameOfTheTimeoutStillWorks() {
    ingress("legacy", "projectcontour.io/request-timeout: 100ms");
    Rig.awaitSeen("200 one", rig.http(), "legacy.example", "/");
    assertThat(Rig.seen(rig.http(), "legacy.example", "/slow")).isEqualTo("504");
  }

  @Test
  void olderTlsIsTurnedAway() {
    secure("modern", "projectcontour.io/tls-minimum-protocol-version: \"1.3\"", "cert");
    Tls tls = Tls.sni("modern.example", CA);
    Rig.awaitSeen("200 one", () -> Rig.seen(rig.https(tls), "modern.example", "/"));
    assertThat(Rig.seen(rig.https(tls.versions("TLSv1.2")), "modern.example", "/"))
        .isEqualTo(Rig.BROKEN);
  }

  @Test
  void newerTlsIsTurnedAway() {
    secure("old", "projectcontour.io/tls-maximum-protocol-version: \"1.2\"", "cert");
    Tls tls = Tls.sni("old.example", CA);
    Rig.awaitSeen("200 one", () -> Rig.seen(rig.https(tls), "old.example", "/"));
    assertThat(Rig.seen(rig.https(tls.versions("TLSv1.3")), "old.example", "/"))
        .isEqualTo(Rig.BROKEN);
  }

  @Test
  void onlyTheNamedPathsBecomeWebsockets() {
    rig.apply(
        "Ingress/default/sockets",
        Docs.ingress(
            "sockets",
            "projectcontour.io/websocket-routes: \"/ws\"",
            "rules: ["
                + IngressTest.rule(
                    "sockets.example",
                    IngressTest.path("Prefix", "/", "one"),
                    IngressTest.path("Prefix", "/ws", "one"))
                + "]"));
    Rig.awaitSeen("200 one", rig.http(), "sockets.example", "/");
    assertThat(upgrade("/").status()).isEqualTo(403);
    assertThat(upgrade("/ws").backend()).isEqualTo("one");
    assertThat(ONE.requests())
        .anyMatch(echo -> echo.path().equals("/ws") && echo.header("upgrade").equals("websocket"));
  }

  private static Http.Response upgrade(String path) {
    return rig.http()
        .get(path)
        .host("sockets.example")
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .send();
  }

  @Test
  void aCertificateOfAnotherNamespaceIsUsedIfItIsLent() {
    rig.write("lend.yaml", Docs.delegation("certs/lend", "far", "default"));
    secure("far", "projectcontour.io/tls-cert-namespace: certs", "far");
    Tls tls = Tls.sni("far.example", CA);
    Rig.awaitSeen("200 one", () -> Rig.seen(rig.https(tls), "far.example", "/"));
    assertThat(tls.peer(rig.https(tls).port())).isEqualTo("CN=far");
  }
}
