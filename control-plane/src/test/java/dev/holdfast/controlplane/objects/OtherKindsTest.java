// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.controlplane.objects.httpproxy.RetryPolicy;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.ingress.Backend;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.ingress.PathRule;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ingress, Service, EndpointSlice, TLSCertificateDelegation, and unsupported kinds. */
class OtherKindsTest {
  private static String object(String type, String annotations, String body) {
    String[] parts = type.split(" ", 2);
    return """
        apiVersion: %s
        kind: %s
        metadata: {name: o, labels: {kubernetes.io/service-name: s}, annotations: {%s}}
        %s
        """
        .formatted(parts[0], parts[1], annotations, body);
  }

  private static String ingress(String annotations, String spec) {
    return object("networking.k8s.io/v1 Ingress", annotations, "spec: " + spec);
  }

  private static String service(String annotations, String spec) {
    return object("v1 Service", annotations, "spec: " + spec);
  }

  private static String paths(String path) {
    return "{rules: [{http: {paths: [{"
        + path
        + ", backend: {service: {name: s, port: {number: 80}}}}]}}]}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "pathType: Prefix, path: / => PREFIX",
        "pathType: Prefix, path: /a => SEGMENTS",
        "pathType: Exact, path: /a => EXACT",
        "pathType: ImplementationSpecific => PREFIX",
        "pathType: ImplementationSpecific, path: '/a.*' => REGEX",
      })
  void ingressPathIsMatchedByItsType(String path, PathRule.Match match) {
    Ingress ingress = YamlObjects.valid(Ingress.class, ingress("", paths(path)));

    assertThat(ingress.rules().get(0).host()).isEqualTo("*");
    assertThat(ingress.rules().get(0).paths())
        .extracting(PathRule::match, PathRule::backend)
        .containsExactly(tuple(match, new Backend("s", 80, "")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "{} => 4:7: spec: nothing (expected: defaultBackend or rules)",
        "{defaultBackend: {}} => 4:24: spec.defaultBackend.service: missing",
        "{defaultBackend: {resource: {}}} => 4:25: spec.defaultBackend.resource: not supported by Holdfast: resource backends",
        "{defaultBackend: {service: {name: s, port: {}}}} => 4:50: spec.defaultBackend.service.port: neither number nor name (expected: one of them)",
        "{rules: [{http: {paths: [{pathType: Prefix, path: '/a?b', backend: {service: {name: s, port: {name: http}}}}]}}]} => 4:57: spec.rules[0].http.paths[0].path: \"/a?b\" (expected: no ? or #, which are not part of a path)",
        "{rules: [{http: {paths: [{pathType: ImplementationSpecific, path: '/a[', backend: {service: {name: s, port: {name: http}}}}]}}]} => 4:73: spec.rules[0].http.paths[0].path: \"/a[\" (expected: a regular expression that RE2 understands; RE2 says: missing closing ], at character 3: \"[\")",
      })
  void ingressProblemsAreReportedAtTheirPosition(String spec, String problem) {
    assertThat(YamlObjects.problems(ingress("", spec))).containsExactly(problem);
  }

  @Test
  void ingressAnnotationsAreDecoded() {
    Ingress ingress =
        YamlObjects.valid(
            Ingress.class,
            ingress(
                "projectcontour.io/retry-on: '5xx, reset', projectcontour.io/num-retries: '-1',"
                    + " kubernetes.io/ingress.allow-http: 'false'",
                paths("pathType: Exact, path: /")));

    assertThat(ingress.settings().retryOn())
        .containsExactly(RetryPolicy.On.ANY_5XX, RetryPolicy.On.RESET);
    assertThat(ingress.settings().retries()).isZero();
    assertThat(ingress.settings().allowHttp()).isFalse();
  }

  @Test
  void annotationProblemsAreReportedAtTheObject() {
    assertThat(
            YamlObjects.problems(
                ingress(
                    "projectcontour.io/num-retries: many, projectcontour.io/response-timeout: '5'",
                    paths("pathType: Exact, path: /"))))
        .containsExactly(
            "1:1: metadata.annotations[\"projectcontour.io/num-retries\"]: \"many\" (expected: a"
                + " whole number from -1 to 2147483647)",
            "1:1: metadata.annotations[\"projectcontour.io/response-timeout\"]: \"5\" (expected: a"
                + " duration such as \"1h30m\", or \"infinity\")");
  }

  @Test
  void serviceIsDecoded() {
    Service service =
        YamlObjects.valid(
            Service.class,
            service(
                "projectcontour.io/max-connections: '7', projectcontour.io/upstream-protocol.h2:"
                    + " '443,https'",
                "{selector: {a: b}, ports: [{name: http, port: 80, targetPort: http}, {name: dns,"
                    + " port: 53, protocol: UDP}]}"));

    assertThat(service.settings().maxConnections()).isEqualTo(7);
    assertThat(service.settings().protocols())
        .containsEntry("443", Protocol.H2)
        .containsEntry("https", Protocol.H2);
    assertThat(service.ports())
        .containsExactly(
            new Service.Port("http", 80, Service.Transport.TCP),
            new Service.Port("dns", 53, Service.Transport.UDP));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "{} => 4:7: spec.ports: missing (expected: at least one)",
        "{ports: [{port: 80}, {name: b, port: 81}]} => 4:16: spec.ports[0]: without a name (expected: a name, as there are several ports)",
        "{ports: [{name: a, port: 80}, {name: a, port: 81}]} => 4:37: spec.ports[1]: a second port named \"a\"",
        "{type: ExternalName} => 4:7: spec.externalName: missing (expected: a DNS name, for type ExternalName)",
        "{type: ExternalName, externalName: localhost} => 4:42: spec.externalName: \"localhost\" (expected: a lower-case DNS name, or an address, that is not of the proxy itself)",
        "{type: ExternalName, externalName: a.localhost.} => 4:42: spec.externalName: \"a.localhost.\" (expected: a lower-case DNS name, or an address, that is not of the proxy itself)",
        "{type: ExternalName, externalName: 127.1.2.3} => 4:42: spec.externalName: \"127.1.2.3\" (expected: a lower-case DNS name, or an address, that is not of the proxy itself)",
        "{type: ExternalName, externalName: '127.1'} => 4:42: spec.externalName: \"127.1\" (expected: a lower-case DNS name, or an address, that is not of the proxy itself)",
        "{type: ExternalName, externalName: '::ffff:127.0.0.1'} => 4:42: spec.externalName: \"::ffff:127.0.0.1\" (expected: a lower-case DNS name, or an address, that is not of the proxy itself)",
        "{type: ExternalName, externalName: 'fe80::1'} => 4:42: spec.externalName: \"fe80::1\" (expected: a lower-case DNS name, or an address, that is not of the proxy itself)",
        "{type: ExternalName, externalName: 0.0.0.0} => 4:42: spec.externalName: \"0.0.0.0\" (expected: a lower-case DNS name, or an address, that is not of the proxy itself)",
      })
  void serviceProblemsAreReportedAtTheirPosition(String spec, String problem) {
    assertThat(YamlObjects.problems(service("", spec))).containsExactly(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"db.example.com", "db.example.com.", "10.1.2.3", "2001:db8::1"})
  void anExternalNameLeadsElsewhere(String name) {
    Service service =
        YamlObjects.valid(
            Service.class, service("", "{type: ExternalName, externalName: '" + name + "'}"));

    assertThat(service.externalName()).isEqualTo(name);
  }

  @Test
  void anotherTypeHasNoExternalName() {
    Service service =
        YamlObjects.valid(
            Service.class, service("", "{ports: [{port: 80}], externalName: db.example.com}"));

    assertThat(service.externalName()).isEmpty();
  }

  @Test
  void endpointSliceIsDecoded() {
    EndpointSlice slice =
        YamlObjects.valid(
            EndpointSlice.class,
            object(
                "discovery.k8s.io/v1 EndpointSlice",
                "",
                "addressType: IPv6\nports: [{port: 80}]\nendpoints: [{addresses: ['::1']},"
                    + " {addresses: ['::2'], conditions: {ready: false}}]"));

    assertThat(slice.service()).isEqualTo("s");
    assertThat(slice.endpoints())
        .extracting(EndpointSlice.Endpoint::ready)
        .containsExactly(true, false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "addressType: FQDN => 4:14: addressType: not supported by Holdfast: endpoints of address type FQDN",
        "addressType: IPv4 / endpoints: [{addresses: ['::1']}] => 5:13: endpoints[0]: address \"::1\" (expected: an IPv4 address)",
        "addressType: IPv4 / endpoints: [{addresses: []}] => 5:25: endpoints[0].addresses: [] (expected: at least one)",
        "addressType: IPv4 / spec: {} => 5:1: spec: unknown field (expected: one of addressType, endpoints, ports)",
      })
  void endpointSliceProblemsAreReportedAtTheirPosition(String body, String problem) {
    String lines = body.replace(" / ", "\n");
    assertThat(YamlObjects.problems(object("discovery.k8s.io/v1 EndpointSlice", "", lines)))
        .containsExactly(problem);
  }

  @Test
  void delegationIsDecoded() {
    TlsCertificateDelegation delegation =
        YamlObjects.valid(
            TlsCertificateDelegation.class,
            object(
                "projectcontour.io/v1 TLSCertificateDelegation",
                "",
                "spec: {delegations: [{secretName: a, targetNamespaces: [x]}, {secretName: b,"
                    + " targetNamespaces: ['*']}]}"));

    assertThat(delegation.delegations())
        .containsExactly(
            new TlsCertificateDelegation.Delegation("a", List.of("x")),
            new TlsCertificateDelegation.Delegation("b", List.of("*")));
  }

  @Test
  void anotherKindOrVersionIsNotSupported() {
    assertThat(YamlObjects.problems(object("apps/v1 Deployment", "", "spec: {}")))
        .containsExactly(
            "1:1: kind: not supported by Holdfast: Deployment (expected: one of HTTPProxy,"
                + " TLSCertificateDelegation, ExtensionService, Ingress, Service, EndpointSlice,"
                + " Secret, ExtensionPolicy)");
    assertThat(YamlObjects.problems(object("extensions/v1beta1 Ingress", "", "spec: {}")))
        .containsExactly(
            "1:1: apiVersion: not supported by Holdfast: extensions/v1beta1 (expected:"
                + " networking.k8s.io/v1)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "{} => 4:7: spec.services: missing (expected: one)",
        "{services: []} => 4:18: spec.services: [] (expected: one)",
        "{services: [{name: a, port: 1}, {name: b, port: 2}]} => 4:18: spec.services: not supported by Holdfast: more than one service (expected: one)",
        "{services: [{name: a, port: 1}], protocol: h2c, validation: {caSecret: c, subjectName: n}} => 4:67: spec.validation: without TLS (expected: protocol h2)",
        "{services: [{name: a, port: 1}], loadBalancerPolicy: {strategy: Cookie}} => 4:60: spec.loadBalancerPolicy: Cookie (expected: a strategy that needs no requests)",
        "{services: [{name: a, port: 1}], timeoutPolicy: {idle: 1s}} => 4:55: spec.timeoutPolicy: not supported by Holdfast: an idle timeout of requests (expected: response)",
        "{services: [{name: a, port: 1}], circuitBreakerPolicy: {}} => 4:40: spec.circuitBreakerPolicy: not supported by Holdfast: limits here (expected: annotations of the Service)",
      })
  void extensionServiceProblemsAreReportedAtTheirPosition(String spec, String problem) {
    assertThat(
            YamlObjects.problems(
                "apiVersion: projectcontour.io/v1alpha1\nkind: ExtensionService\nmetadata: {name:"
                    + " e}\nspec: "
                    + spec
                    + "\n"))
        .containsExactly(problem);
  }
}
