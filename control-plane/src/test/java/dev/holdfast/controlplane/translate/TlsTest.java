// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts with TLS: filter chains by SNI, certificates and routes by name. */
class TlsTest {
  private static final TestCa CA = TestCa.create("test");
  private static final TestCa.Identity ONE = CA.issue("one");
  private static final TestCa.Identity TWO = CA.issue("two");
  private static final ResourceId CERTIFICATE = new ResourceId(ResourceType.SECRET, "default/cert");

  private static String secret(String name, TestCa.Identity identity) {
    return YamlObjects.object(
        "v1",
        "Secret",
        name,
        "type: kubernetes.io/tls, stringData: {tls.crt: "
            + quote(identity.certificatePem())
            + ", tls.key: "
            + quote(identity.privateKeyPem())
            + ", ca.crt: "
            + quote(CA.certificatePem())
            + "}");
  }

  private static String quote(String pem) {
    return "\"" + pem.replace("\n", "\\n") + "\"";
  }

  private static String host(String name, String tls, String rest) {
    return proxy(name, "virtualhost: {fqdn: " + name + ".com, tls: {" + tls + "}}, " + rest);
  }

  private static List<String> chains(Translation translation) {
    return TranslationText.listener(translation, "ingress_https").getFilterChainsList().stream()
        .map(FilterChain::getName)
        .toList();
  }

  @Test
  void hostWithTlsHasItsOwnTableAndRedirectsPlainHttp() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + secret("cert", ONE)
                + host(
                    "a",
                    "secretName: cert",
                    routes(
                        to("s"),
                        "{conditions: [{prefix: /open}], permitInsecure: true, services: [{name: s,"
                            + " port: 80}]}")));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/open* -> default/s/80", "/* -> https");
    assertThat(TranslationText.secure(translation, "a.com"))
        .containsExactly("/open* -> default/s/80", "/* -> default/s/80");
    assertThat(chains(translation)).containsExactly("a.com");
    assertThat(TranslationText.names(translation, ResourceType.SECRET))
        .containsExactly("default/cert");
    assertThat(TranslationText.problems(translation)).isEmpty();
  }

  @Test
  void newCertificateChangesOnlyItsSecret() {
    Translation before =
        YamlObjects.translation(
            service("s") + secret("cert", ONE) + host("a", "secretName: cert", routes(to("s"))));
    Translation after = before.with(YamlObjects.objects(secret("cert", TWO)));

    assertThat(after.work().hosts()).isZero();
    assertThat(after.work().secrets()).isEqualTo(1);
    Resource was = TranslationText.resource(before, ResourceType.SECRET, "default/cert");
    Resource is = TranslationText.resource(after, ResourceType.SECRET, "default/cert");
    assertThat(is.version()).isNotEqualTo(was.version());
    assertThat(is.contributions().get(new ObjectKey("Secret", "default", "cert"))).isNotNull();
  }

  @Test
  void filterChainsFollowTheirHosts() {
    String yaml =
        service("s")
            + secret("cert", ONE)
            + host("b", "secretName: cert", routes(to("s")))
            + host("a", "secretName: cert", routes(to("s")));
    Translation both = YamlObjects.translation(yaml);
    Translation one = both.with(YamlObjects.without(YamlObjects.proxyKey("a")));
    Translation none = one.with(YamlObjects.without(YamlObjects.proxyKey("b")));

    assertThat(chains(both)).containsExactly("a.com", "b.com");
    assertThat(chains(one)).containsExactly("b.com");
    assertThat(none.snapshot().get(ResourceType.LISTENER, "ingress_https")).isNull();
    assertThat(none.snapshot().get(CERTIFICATE)).isNull();
    assertThat(
            TranslationText.places(
                TranslationText.resource(both, ResourceType.LISTENER, "ingress_https")))
        .containsExactly(
            "filter_chains[0] <- HTTPProxy/default/a@1 spec.virtualhost.tls",
            "filter_chains[1] <- HTTPProxy/default/b@1 spec.virtualhost.tls");
  }

  @Test
  void hostWithoutItsCertificateIsNotServed() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + host("a", "secretName: cert", routes(to("s")))
                + YamlObjects.root("b", routes(to("s"))));

    assertThat(TranslationText.hosts(translation)).containsExactly("b.com");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.secretName: Secret/default/cert does not"
                + " exist");
    assertThat(translation.snapshot().absence(CERTIFICATE))
        .isEqualTo("Secret/default/cert does not exist");
    assertThat(TranslationText.hosts(translation.with(YamlObjects.objects(secret("cert", ONE)))))
        .containsExactly("a.com", "b.com");
  }

  @Test
  void clientValidationUsesASecretOfItsOwn() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + secret("cert", ONE)
                + host(
                    "a", "secretName: cert, clientValidation: {caSecret: cert}", routes(to("s"))));

    assertThat(TranslationText.names(translation, ResourceType.SECRET))
        .containsExactly("default/cert", "default/cert/ca");
  }

  private static String revocations(String name, String pem) {
    return YamlObjects.object("v1", "Secret", name, "stringData: {crl.pem: " + quote(pem) + "}");
  }

  @Test
  void revocationListsAreAPartOfTheTrust() {
    String objects =
        service("s")
            + secret("cert", ONE)
            + host(
                "a",
                "secretName: cert, clientValidation: {caSecret: cert, crlSecret: crl,"
                    + " crlOnlyVerifyLeafCert: true, forwardClientCertificate: {subject: true,"
                    + " dns: true}}",
                routes(to("s")));
    Translation without = YamlObjects.translation(objects);
    Translation translation =
        without.with(YamlObjects.objects(revocations("crl", CA.revocationListPem(TWO))));

    assertThat(TranslationText.hosts(without)).isEmpty();
    assertThat(TranslationText.problems(without))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.clientValidation.crlSecret:"
                + " Secret/default/crl does not exist");
    assertThat(TranslationText.names(translation, ResourceType.SECRET))
        .containsExactly("default/cert", "default/cert/ca/default/crl");
    Resource trust =
        TranslationText.resource(translation, ResourceType.SECRET, "default/cert/ca/default/crl");
    assertThat(trust.body().toStringUtf8()).contains("BEGIN X509 CRL", "BEGIN CERTIFICATE");
    assertThat(TranslationText.places(trust))
        .anyMatch(place -> place.contains("Secret/default/crl"))
        .anyMatch(place -> place.contains("Secret/default/cert"));
  }

  @Test
  void aSecretWithoutListsRevokesNothingAndTheHostIsNotServed() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + secret("cert", ONE)
                + host(
                    "a",
                    "secretName: cert, clientValidation: {caSecret: cert, crlSecret: cert}",
                    routes(to("s"))));

    assertThat(TranslationText.hosts(translation)).isEmpty();
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.clientValidation.crlSecret:"
                + " Secret/default/cert holds no revocation list (expected: an entry crl.pem)");
  }

  @Test
  void secretOfAnotherNamespaceNeedsADelegation() {
    String secret = secret("cert", ONE).replace("name: cert}", "name: cert, namespace: certs}");
    String delegation =
        YamlObjects.object(
                "projectcontour.io/v1",
                "TLSCertificateDelegation",
                "d",
                "spec: {delegations: [{secretName: cert, targetNamespaces: [default]}]}")
            .replace("name: d}", "name: d, namespace: certs}");
    Translation refused =
        YamlObjects.translation(
            service("s") + secret + host("a", "secretName: certs/cert", routes(to("s"))));
    Translation allowed = refused.with(YamlObjects.objects(delegation));
    Translation again =
        allowed.with(YamlObjects.without(new ObjectKey("TLSCertificateDelegation", "certs", "d")));

    assertThat(TranslationText.hosts(refused)).isEmpty();
    assertThat(TranslationText.hosts(allowed)).containsExactly("a.com");
    assertThat(TranslationText.names(allowed, ResourceType.SECRET)).containsExactly("certs/cert");
    assertThat(TranslationText.everything(again)).isEqualTo(TranslationText.everything(refused));
  }

  @Test
  void tcpProxyWithAndWithoutTlsTermination() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + secret("cert", ONE)
                + host("a", "passthrough: true", "tcpproxy: {services: [{name: s, port: 80}]}")
                + host("b", "secretName: cert", "tcpproxy: {include: {name: c}}")
                + proxy("c", "tcpproxy: {services: [{name: s, port: 80}]}"));

    List<FilterChain> chains =
        TranslationText.listener(translation, "ingress_https").getFilterChainsList();
    assertThat(chains).hasSize(2);
    assertThat(chains.get(0).hasTransportSocket()).isFalse();
    assertThat(chains.get(1).hasTransportSocket()).isTrue();
    Resource listener =
        TranslationText.resource(translation, ResourceType.LISTENER, "ingress_https");
    assertThat(listener.clusters().containsKey("default/s/80")).isTrue();
    assertThat(listener.contributions().get(YamlObjects.proxyKey("c"))).isNotNull();
    assertThat(TranslationText.hosts(translation)).isEmpty();
    assertThat(TranslationText.problems(translation)).isEmpty();
  }

  @Test
  void serviceWithoutItsAuthorityGetsNoRequests() {
    String route =
        "{services: [{name: s, port: 80, protocol: tls, validation: {caSecret: ca, subjectName:"
            + " s}}]}";
    Translation translation =
        YamlObjects.translation(service("s") + YamlObjects.root("a", routes(route)));

    assertThat(TranslationText.plain(translation, "a.com")).containsExactly("/* -> 503");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0].validation.caSecret: Secret/default/ca"
                + " does not exist");
    Translation after = translation.with(YamlObjects.objects(secret("ca", ONE)));
    assertThat(TranslationText.plain(after, "a.com")).containsExactly("/* -> default/s/80/a");
    assertThat(TranslationText.names(after, ResourceType.SECRET)).containsExactly("default/ca/ca");
  }

  @Test
  void upstreamValidationWithoutTlsIsAWarning() {
    String route = "{services: [{name: s, port: 80, validation: {caSecret: ca, subjectName: s}}]}";
    Translation translation =
        YamlObjects.translation(
            service("s") + secret("ca", ONE) + YamlObjects.root("a", routes(route)));

    assertThat(TranslationText.warnings(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0].validation: no effect without TLS"
                + " (expected: protocol tls or h2)");
  }
}
