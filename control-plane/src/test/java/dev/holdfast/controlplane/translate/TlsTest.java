// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.proxy;
import static dev.holdfast.controlplane.translate.Given.routes;
import static dev.holdfast.controlplane.translate.Given.service;
import static dev.holdfast.controlplane.translate.Given.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts with TLS: chains by server name, certificates and routes by name. */
class TlsTest {
  private static final TestCa CA = TestCa.create("test");
  private static final TestCa.Identity ONE = CA.issue("one");
  private static final TestCa.Identity TWO = CA.issue("two");
  private static final ResourceId CERTIFICATE = new ResourceId(ResourceType.SECRET, "default/cert");

  private static String secret(String name, TestCa.Identity identity) {
    return Given.object(
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
    return Then.listener(translation, "ingress_https").getFilterChainsList().stream()
        .map(FilterChain::getName)
        .toList();
  }

  @Test
  void aHostWithTlsHasItsOwnTableAndSendsOthersThere() {
    Translation translation =
        Given.translation(
            service("s")
                + secret("cert", ONE)
                + host(
                    "a",
                    "secretName: cert",
                    routes(
                        to("s"),
                        "{conditions: [{prefix: /open}], permitInsecure: true, services: [{name: s,"
                            + " port: 80}]}")));

    assertThat(Then.plain(translation, "a.com"))
        .containsExactly("/open* -> default/s/80", "/* -> https");
    assertThat(Then.secure(translation, "a.com"))
        .containsExactly("/open* -> default/s/80", "/* -> default/s/80");
    assertThat(chains(translation)).containsExactly("a.com");
    assertThat(Then.names(translation, ResourceType.SECRET)).containsExactly("default/cert");
    assertThat(Then.problems(translation)).isEmpty();
  }

  @Test
  void aNewCertificateTouchesNothingElse() {
    Translation before =
        Given.translation(
            service("s") + secret("cert", ONE) + host("a", "secretName: cert", routes(to("s"))));
    Translation after = before.with(Given.objects(secret("cert", TWO)));

    assertThat(after.work().hosts()).isZero();
    assertThat(after.work().secrets()).isEqualTo(1);
    Resource was = Then.resource(before, ResourceType.SECRET, "default/cert");
    Resource is = Then.resource(after, ResourceType.SECRET, "default/cert");
    assertThat(is.version()).isNotEqualTo(was.version());
    assertThat(is.contributions().get(new ObjectKey("Secret", "default", "cert"))).isNotNull();
  }

  @Test
  void chainsComeAndGoWithTheirHosts() {
    String yaml =
        service("s")
            + secret("cert", ONE)
            + host("b", "secretName: cert", routes(to("s")))
            + host("a", "secretName: cert", routes(to("s")));
    Translation both = Given.translation(yaml);
    Translation one = both.with(Given.without(Given.proxyKey("a")));
    Translation none = one.with(Given.without(Given.proxyKey("b")));

    assertThat(chains(both)).containsExactly("a.com", "b.com");
    assertThat(chains(one)).containsExactly("b.com");
    assertThat(none.snapshot().get(ResourceType.LISTENER, "ingress_https")).isNull();
    assertThat(none.snapshot().get(CERTIFICATE)).isNull();
    assertThat(Then.places(Then.resource(both, ResourceType.LISTENER, "ingress_https")))
        .containsExactly(
            "filter_chains[0] <- HTTPProxy/default/a@1 spec.virtualhost.tls",
            "filter_chains[1] <- HTTPProxy/default/b@1 spec.virtualhost.tls");
  }

  @Test
  void withoutItsCertificateAHostIsNotServedAtAll() {
    Translation translation =
        Given.translation(
            service("s")
                + host("a", "secretName: cert", routes(to("s")))
                + Given.root("b", routes(to("s"))));

    assertThat(Then.hosts(translation)).containsExactly("b.com");
    assertThat(Then.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.secretName: Secret/default/cert does not"
                + " exist");
    assertThat(translation.snapshot().absence(CERTIFICATE))
        .isEqualTo("Secret/default/cert does not exist");
    assertThat(Then.hosts(translation.with(Given.objects(secret("cert", ONE)))))
        .containsExactly("a.com", "b.com");
  }

  @Test
  void clientsAreCheckedByAnAuthorityOfItsOwnName() {
    Translation translation =
        Given.translation(
            service("s")
                + secret("cert", ONE)
                + host(
                    "a", "secretName: cert, clientValidation: {caSecret: cert}", routes(to("s"))));

    assertThat(Then.names(translation, ResourceType.SECRET))
        .containsExactly("default/cert", "default/cert/ca");
  }

  @Test
  void aSecretOfAnotherNamespaceNeedsADelegation() {
    String secret = secret("cert", ONE).replace("name: cert}", "name: cert, namespace: certs}");
    String delegation =
        Given.object(
                "projectcontour.io/v1",
                "TLSCertificateDelegation",
                "d",
                "spec: {delegations: [{secretName: cert, targetNamespaces: [default]}]}")
            .replace("name: d}", "name: d, namespace: certs}");
    Translation refused =
        Given.translation(
            service("s") + secret + host("a", "secretName: certs/cert", routes(to("s"))));
    Translation allowed = refused.with(Given.objects(delegation));
    Translation again =
        allowed.with(Given.without(new ObjectKey("TLSCertificateDelegation", "certs", "d")));

    assertThat(Then.hosts(refused)).isEmpty();
    assertThat(Then.hosts(allowed)).containsExactly("a.com");
    assertThat(Then.names(allowed, ResourceType.SECRET)).containsExactly("certs/cert");
    assertThat(Then.everything(again)).isEqualTo(Then.everything(refused));
  }

  @Test
  void bytesAreSentOnWithOrWithoutTheTlsAroundThem() {
    Translation translation =
        Given.translation(
            service("s")
                + secret("cert", ONE)
                + host("a", "passthrough: true", "tcpproxy: {services: [{name: s, port: 80}]}")
                + host("b", "secretName: cert", "tcpproxy: {include: {name: c}}")
                + proxy("c", "tcpproxy: {services: [{name: s, port: 80}]}"));

    List<FilterChain> chains = Then.listener(translation, "ingress_https").getFilterChainsList();
    assertThat(chains).hasSize(2);
    assertThat(chains.get(0).hasTransportSocket()).isFalse();
    assertThat(chains.get(1).hasTransportSocket()).isTrue();
    Resource listener = Then.resource(translation, ResourceType.LISTENER, "ingress_https");
    assertThat(listener.clusters().containsKey("default/s/80")).isTrue();
    assertThat(listener.contributions().get(Given.proxyKey("c"))).isNotNull();
    assertThat(Then.hosts(translation)).isEmpty();
    assertThat(Then.problems(translation)).isEmpty();
  }

  @Test
  void aServiceIsNotTrustedWithoutItsAuthority() {
    String route =
        "{services: [{name: s, port: 80, protocol: tls, validation: {caSecret: ca, subjectName:"
            + " s}}]}";
    Translation translation = Given.translation(service("s") + Given.root("a", routes(route)));

    assertThat(Then.plain(translation, "a.com")).containsExactly("/* -> 503");
    assertThat(Then.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0].validation.caSecret: Secret/default/ca"
                + " does not exist");
    Translation after = translation.with(Given.objects(secret("ca", ONE)));
    assertThat(Then.plain(after, "a.com")).containsExactly("/* -> default/s/80/a");
    assertThat(Then.names(after, ResourceType.SECRET)).containsExactly("default/ca/ca");
  }

  @Test
  void whoIsAskedToProveItselfWithoutTlsIsRemarkedUpon() {
    String route = "{services: [{name: s, port: 80, validation: {caSecret: ca, subjectName: s}}]}";
    Translation translation =
        Given.translation(service("s") + secret("ca", ONE) + Given.root("a", routes(route)));

    assertThat(Then.warnings(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0].validation: no effect without TLS"
                + " (expected: protocol tls or h2)");
  }
}
