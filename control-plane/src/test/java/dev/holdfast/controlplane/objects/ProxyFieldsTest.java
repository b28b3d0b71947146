// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.httpproxy.CorsPolicy.Origin;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.IpFilter;
import dev.holdfast.controlplane.objects.httpproxy.IpRange;
import dev.holdfast.controlplane.objects.httpproxy.TcpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Tls.Version;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proxy's virtual host, services, includes and TCP. */
class ProxyFieldsTest {
  private static final String ROUTES = "\nroutes: [{services: [{name: s, port: 80}]}]";

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "{} => 6:16: spec.virtualhost.fqdn: missing",
        "{fqdn: A.b} => 6:23: spec.virtualhost.fqdn: \"A.b\" (expected: a lower-case DNS name, its first label possibly \"*\")",
        "{fqdn: a.*.b} => 6:23: spec.virtualhost.fqdn: \"a.*.b\" (expected: a lower-case DNS name, its first label possibly \"*\")",
        "{fqdn: a.b, tls: {}} => 6:33: spec.virtualhost.tls: neither secretName nor passthrough (expected: one of them)",
        "{fqdn: a.b, tls: {secretName: s, passthrough: true}} => 6:33: spec.virtualhost.tls: both secretName and passthrough (expected: one of them)",
        "{fqdn: a.b, tls: {secretName: a/b/c}} => 6:46: spec.virtualhost.tls.secretName: \"a/b/c\" (expected: NAME or NAMESPACE/NAME)",
        "{fqdn: a.b, tls: {secretName: s, minimumProtocolVersion: '1.1'}} => 6:73: spec.virtualhost.tls.minimumProtocolVersion: \"1.1\" (expected: one of 1.2, 1.3)",
        "{fqdn: a.b, tls: {secretName: s, minimumProtocolVersion: '1.3', maximumProtocolVersion: '1.2'}} => 6:73: spec.virtualhost.tls.minimumProtocolVersion: 1.3 (expected: not above maximumProtocolVersion, 1.2)",
        "{fqdn: a.b, tls: {secretName: s, clientValidation: {}}} => 6:67: spec.virtualhost.tls.clientValidation.caSecret: missing (expected: a secret with ca.crt, unless skipClientCertValidation)",
        "{fqdn: a.b, tls: {passthrough: true, clientValidation: {caSecret: c}}} => 6:71: spec.virtualhost.tls.clientValidation: has no effect with passthrough (expected: one of them)",
        "{fqdn: a.b, tls: {secretName: s, clientValidation: {skipClientCertValidation: true, crlSecret: c}}} => 6:111: spec.virtualhost.tls.clientValidation.crlSecret: certificates are not validated (expected: caSecret, and no skip)",
        "{fqdn: a.b, tls: {passthrough: true, enableFallbackCertificate: true}} => 6:80: spec.virtualhost.tls.enableFallbackCertificate: has no effect with passthrough (expected: one of them)",
        "{fqdn: a.b, tls: {secretName: s, clientValidation: {caSecret: c}, enableFallbackCertificate: true}} => 6:109: spec.virtualhost.tls.enableFallbackCertificate: lets clients in without their certificate (expected: no clientValidation)",
        "{fqdn: a.b, tls: {secretName: s, enableFallbackCertificate: true}, authorization: {extensionRef: {name: e}}} => 6:98: spec.virtualhost.authorization: not possible with tls.enableFallbackCertificate (expected: one of them)",
        "{fqdn: a.b, authorization: {extensionRef: {name: e}}} => 6:43: spec.virtualhost.authorization: without TLS that ends at the proxy (expected: tls.secretName as well)",
        "{fqdn: a.b, tls: {secretName: s}, authorization: {responseTimeout: 1s}} => 6:83: spec.virtualhost.authorization.responseTimeout: without effect (expected: extensionRef as well)",
        "{fqdn: a.b, tls: {secretName: s}, authorization: {extensionRef: {apiVersion: v1, name: e}}} => 6:93: spec.virtualhost.authorization.extensionRef.apiVersion: \"v1\" (expected: projectcontour.io/v1alpha1)",
        "{fqdn: a.b, tls: {secretName: s}, authorization: {extensionRef: {name: e}, httpSettings: {}}} => 6:105: spec.virtualhost.authorization.httpSettings: without effect (expected: serviceType http as well)",
        "{fqdn: a.b, tls: {secretName: s}, authorization: {extensionRef: {name: e}, serviceType: http, authPolicy: {context: {a: b}}}} => 6:122: spec.virtualhost.authorization.authPolicy: a context (expected: none, or serviceType grpc)",
        "{fqdn: a.b, jwtProviders: []} => 6:28: spec.virtualhost.jwtProviders: not supported by Holdfast: JWT verification",
        "{fqdn: a.b, corsPolicy: {allowOrigin: [], allowMethods: [GET]}} => 6:54: spec.virtualhost.corsPolicy.allowOrigin: [] (expected: at least one)",
        "{fqdn: a.b, corsPolicy: {allowOrigin: ['(']}} => 6:40: spec.virtualhost.corsPolicy.allowMethods: missing ; 6:55: spec.virtualhost.corsPolicy.allowOrigin[0]: \"(\" (expected: \"*\", SCHEME://HOST[:PORT], or a regular expression that RE2 understands; RE2 says: missing closing ))",
        "{fqdn: a.b, ipAllowPolicy: [{source: Peer, cidr: '::/0'}], ipDenyPolicy: [{source: Peer,"
            + " cidr: 1.2.3.4}]} => 6:89: spec.virtualhost.ipDenyPolicy: set together with"
            + " ipAllowPolicy (expected: only one of them)",
        "a.b => 6:16: spec.virtualhost: a string (expected: a mapping)",
      })
  void virtualHostProblemsAreReportedAtTheirPosition(String host, String problems) {
    assertThat(YamlObjects.problems(YamlObjects.proxy("virtualhost: " + host + ROUTES)))
        .containsExactly(problems.split(" ; "));
  }

  @Test
  void virtualHostIsDecoded() {
    VirtualHost host =
        YamlObjects.valid(
                HttpProxy.class,
                YamlObjects.proxy(
                    """
                    virtualhost:
                      fqdn: '*.example.com'
                      tls: {secretName: certs/one, minimumProtocolVersion: '1.3'}
                      corsPolicy:
                        allowOrigin: ['*', 'https://a.b:8443', 'https://.*\\.b']
                        allowMethods: [GET]
                        maxAge: 0s
                      ipDenyPolicy: [{source: Remote, cidr: 10.0.0.0/8}, {source: Peer, cidr: '::1'}]
                    includes: [{name: other}]
                    """))
            .virtualHost();

    assertThat(host).isNotNull();
    assertThat(host.tls()).isNotNull();
    assertThat(host.tls().minimum()).isEqualTo(Version.TLS_1_3);
    assertThat(host.cors()).isNotNull();
    assertThat(host.cors().allowOrigin())
        .extracting(Origin::match)
        .containsExactly(Origin.Match.ANY, Origin.Match.EXACT, Origin.Match.REGEX);
    assertThat(host.ipFilter())
        .isEqualTo(
            new IpFilter(
                IpFilter.Action.DENY,
                List.of(
                    new IpFilter.Rule(IpFilter.Source.REMOTE, new IpRange("10.0.0.0", 8)),
                    new IpFilter.Rule(IpFilter.Source.PEER, new IpRange("::1", 128)))));
  }

  @Test
  void emptyRootIsReported() {
    assertThat(YamlObjects.problems(YamlObjects.proxy("virtualhost: {fqdn: a.b}")))
        .containsExactly(
            "6:3: spec: empty virtual host (expected: routes, includes or" + " tcpproxy)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "[{name: s}] => 7:16: spec.routes[0].services[0].port: missing",
        "[{name: s, port: 0}] => 7:32: spec.routes[0].services[0].port: 0 (expected: a whole number from 1 to 65535)",
        "[{name: s, port: 1.5}] => 7:32: spec.routes[0].services[0].port: 1.5 (expected: a whole number from 1 to 65535)",
        "[{name: s, port: 1, weight: -1}] => 7:43: spec.routes[0].services[0].weight: -1 (expected: a whole number from 0 to 4294967295)",
        "[{name: s, port: 1, weight: 4294967295}, {name: t, port: 1, weight: 1}] => 7:15: spec.routes[0].services: weights add up to 4294967296 (expected: at most 4294967295)",
        "[{name: s, port: 1, mirror: true}] => 7:15: spec.routes[0].services: only mirrors (expected: at least one service that is not a mirror)",
        "[{name: s, port: 1}, {name: m, port: 1, mirror: true}, {name: n, port: 1, mirror: true}] => 7:70: spec.routes[0].services[2]: a second mirror (expected: at most one)",
        "[{name: s, port: 1, protocol: http}] => 7:45: spec.routes[0].services[0].protocol: \"http\" (expected: one of h2, h2c, tls)",
        "[{name: s, port: 1, validation: {caSecret: c, subjectName: a, subjectNames: [b]}}] => 7:92: spec.routes[0].services[0].validation.subjectNames[0]: \"b\" (expected: the same as subjectName)",
        "[{name: s, port: 1, requestHeadersPolicy: {set: [{name: Host, value: '%REQ(a)%'}]}}] => 7:84: spec.routes[0].services[0].requestHeadersPolicy.set[0].value: \"%REQ(a)%\" (expected: a host; variables are for routes)",
        "[{name: s, port: 1, slowStartPolicy: {window: 1s}}] => 7:35: spec.routes[0].services[0].slowStartPolicy: not supported by Holdfast: slow start",
        "[{name: s, port: 1, healthPort: 8}] => 7:35: spec.routes[0].services[0].healthPort: not supported by Holdfast: health checks on another port",
        "s => 7:15: spec.routes[0].services: a string (expected: a sequence)",
      })
  void serviceProblemsAreReportedAtTheirPosition(String services, String problem) {
    assertThat(YamlObjects.problems(YamlObjects.proxy("routes:\n- services: " + services)))
        .containsExactly(problem);
  }

  @Test
  void includeDefaultsToPrefixAndOwnNamespace() {
    assertThat(
            YamlObjects.valid(HttpProxy.class, YamlObjects.proxy("includes: [{name: other}]"))
                .includes())
        .extracting(include -> include.namespace() + "/" + include.name())
        .containsExactly("default/other");
    assertThat(
            YamlObjects.problems(
                YamlObjects.proxy("includes: [{name: other, conditions: [{exact: /a}]}]")))
        .containsExactly(
            "6:42: spec.includes[0].conditions[0].exact: not supported by Holdfast: includes are"
                + " by prefix; exact and regex are for routes");
  }

  @Test
  void tcpProxyNeedsTlsAndRejectsRequestSettings() {
    String tls = "virtualhost: {fqdn: a.b, tls: {passthrough: true}}\n";

    TcpProxy tcp =
        YamlObjects.valid(
                HttpProxy.class,
                YamlObjects.proxy(tls + "tcpproxy: {services: [{name: s, port: 1}]}"))
            .tcpProxy();
    assertThat(tcp).isNotNull();
    assertThat(tcp.services()).hasSize(1);
    assertThat(
            YamlObjects.problems(
                YamlObjects.proxy("virtualhost: {fqdn: a.b}\ntcpproxy: {include: {name: t}}")))
        .containsExactly("7:13: spec.tcpproxy: needs TLS (expected: spec.virtualhost.tls as well)");
    assertThat(
            YamlObjects.problems(
                YamlObjects.proxy(
                    tls
                        + "tcpproxy: {loadBalancerPolicy: {strategy: Cookie}, services: [{name:"
                        + " s, port: 1, mirror: true}]}")))
        .contains(
            "7:34: spec.tcpproxy.loadBalancerPolicy: Cookie (expected: a strategy that needs no"
                + " requests)",
            "7:92: spec.tcpproxy.services[0].mirror: not allowed in a tcpproxy (expected: absent)");
  }

  @Test
  void annotationTakesPrecedenceOverIngressClassName() {
    String yaml =
        YamlObjects.proxy("ingressClassName: a" + ROUTES)
            .replace("name: p", "name: p\n  annotations: {kubernetes.io/ingress.class: b}");

    assertThat(YamlObjects.valid(HttpProxy.class, yaml).ingressClass()).isEqualTo("b");
  }

  @Test
  void problemsAreInDocumentOrder() {
    assertThat(
            YamlObjects.problems(
                YamlObjects.proxy(
                    """
                    zebra: 1
                    routes:
                    - services: [{port: 70000}]
                      unknown: 1
                    virtualhost:
                      fqdn: 1
                    """)))
        .containsExactly(
            "6:3: spec.zebra: unknown field (expected: one of ingressClassName, virtualhost,"
                + " routes, includes, tcpproxy)",
            "8:16: spec.routes[0].services[0].name: missing",
            "8:23: spec.routes[0].services[0].port: 70000 (expected: a whole number from 1 to"
                + " 65535)",
            "9:5: spec.routes[0].unknown: unknown field (expected: one of conditions, services,"
                + " requestRedirectPolicy, directResponsePolicy, permitInsecure,"
                + " enableWebsockets, timeoutPolicy, retryPolicy, healthCheckPolicy,"
                + " loadBalancerPolicy, pathRewritePolicy, requestHeadersPolicy,"
                + " responseHeadersPolicy, rateLimitPolicy, ipAllowPolicy, ipDenyPolicy,"
                + " internalRedirectPolicy, cookieRewritePolicies, authPolicy,"
                + " jwtVerificationPolicy)",
            "11:11: spec.virtualhost.fqdn: a number (expected: a string; put it in quotes)");
  }
}
