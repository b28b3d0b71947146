// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.testkit.TestCa;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Generates interdependent objects: few names, many references, some mistakes. */
final class RandomObjects {
  private static final TestCa CA = TestCa.create("test");
  private static final TestCa.Identity ONE = CA.issue("one");
  private static final TestCa.Identity TWO = CA.issue("two");

  private final Random random;

  RandomObjects(long seed) {
    this.random = new Random(seed);
  }

  /** A few changes at once. */
  SortedMap<ObjectKey, @Nullable ConfigObject> changes() {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      ConfigObject object = YamlObjects.objects(yaml()).values().iterator().next();
      if (object == null) {
        throw new AssertionError();
      }
      boolean gone = random.nextInt(4) == 0;
      changes.put(
          object.key(),
          gone
              ? null
              : object.with(1 + random.nextInt(3), Instant.ofEpochSecond(random.nextInt(3))));
    }
    return changes;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String namespace() {
    return one(List.of("a", "b"));
  }

  private String yaml() {
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> root();
      case 3, 4 -> child();
      case 5, 6 -> service();
      case 7, 8 -> slice();
      case 9 -> secret();
      case 10 -> delegation();
      case 11 -> policy();
      default -> ingress();
    };
  }

  private String object(String apiVersion, String kind, String name, String rest) {
    return "{apiVersion: "
        + apiVersion
        + ", kind: "
        + kind
        + ", metadata: {namespace: "
        + namespace()
        + ", name: "
        + name
        + one(List.of("", "", "", ", annotations: {projectcontour.io/max-connections: '7'}"))
        + "}, "
        + rest
        + "}";
  }

  private String root() {
    String tls =
        one(
            List.of(
                "",
                "",
                ", tls: {secretName: s1}",
                ", tls: {secretName: b/s2}",
                ", tls: {secretName: b/s2, minimumProtocolVersion: '1.3'}",
                ", tls: {secretName: s1, clientValidation: {caSecret: s2}}",
                ", tls: {passthrough: true}"));
    String tcp =
        tls.isEmpty()
            ? ""
            : one(
                List.of(
                    "",
                    "",
                    ", tcpproxy: {services: [{name: v1, port: 80}]}",
                    ", tcpproxy: {include: {name: c1}}"));
    return object(
        "projectcontour.io/v1",
        "HTTPProxy",
        one(List.of("r1", "r2", "r3")),
        "spec: {virtualhost: {fqdn: "
            + one(List.of("one.com", "two.com", "\"*.three.com\""))
            + tls
            + "}, "
            + one(List.of("", "", "", "ingressClassName: other, ", "mistake: 1, "))
            + includes()
            + ", "
            + routes()
            + tcp
            + "}");
  }

  private String child() {
    return object(
        "projectcontour.io/v1",
        "HTTPProxy",
        one(List.of("c1", "c2", "c3")),
        "spec: {"
            + includes()
            + ", "
            + routes()
            + one(List.of("", "", ", tcpproxy: {services: [{name: v2, port: 81}]}", ", mistake: 1"))
            + "}");
  }

  private String includes() {
    List<String> includes = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      includes.add(
          "{name: "
              + one(List.of("c1", "c2", "c3", "c4", "r1"))
              + one(List.of("", "", ", namespace: b"))
              + one(
                  List.of(
                      "",
                      ", conditions: [{prefix: /x}]",
                      ", conditions: [{prefix: '/y('}, {header: {name: h, present: true}}]"))
              + "}");
    }
    return "includes: [" + String.join(", ", includes) + "]";
  }

  private String routes() {
    List<String> routes = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      routes.add(
          "{conditions: ["
              + one(
                  List.of(
                      "{prefix: /}",
                      "{prefix: /p}",
                      "{exact: /e}",
                      "{regex: '/[a-z]+'}",
                      "{queryParameter: {name: q, present: true}}",
                      "{header: {name: h, exact: v}}, {prefix: /p}"))
              + "], "
              + one(
                  List.of(
                      "services: [" + to() + "]",
                      "services: [" + to() + ", " + to() + "]",
                      "services: [" + to() + "], healthCheckPolicy: {path: /h}",
                      "services: [" + to() + "], healthCheckPolicy: {path: /i}",
                      "services: [" + to() + "], loadBalancerPolicy: {strategy: Random}",
                      "services: [" + to() + "], permitInsecure: true",
                      "directResponsePolicy: {statusCode: 200}",
                      "requestRedirectPolicy: {path: /r}"))
              + "}");
    }
    return "routes: [" + String.join(", ", routes) + "]";
  }

  private String to() {
    return "{name: "
        + one(List.of("v1", "v2", "v3"))
        + ", port: "
        + one(List.of(80, 80, 81))
        + one(
            List.of(
                "",
                "",
                ", protocol: tls",
                ", protocol: tls, validation: {caSecret: s2, subjectName: x}"))
        + "}";
  }

  private String service() {
    return object(
        "v1",
        "Service",
        one(List.of("v1", "v2", "v3")),
        "spec: "
            + one(
                List.of(
                    "{ports: [{port: 80}]}",
                    "{ports: [{name: a, port: 80}, {name: b, port: 81}]}",
                    "{ports: [{name: b, port: 80}]}",
                    "{type: ExternalName}")));
  }

  private String slice() {
    return "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {namespace: "
        + namespace()
        + ", name: "
        + one(List.of("e1", "e2", "e3"))
        + ", labels: {kubernetes.io/service-name: "
        + one(List.of("v1", "v2"))
        + "}}, addressType: IPv4, ports: [{name: "
        + one(List.of("a", "b", "\"\""))
        + ", port: 8080}], endpoints: [{addresses: [10.0.0."
        + (1 + random.nextInt(3))
        + "]}]}";
  }

  private String secret() {
    TestCa.Identity identity = one(List.of(ONE, TWO));
    String certificate = quote(identity.certificatePem());
    return object(
        "v1",
        "Secret",
        one(List.of("s1", "s2")),
        one(
            List.of(
                "type: kubernetes.io/tls, stringData: {tls.crt: "
                    + certificate
                    + ", tls.key: "
                    + quote(identity.privateKeyPem())
                    + ", ca.crt: "
                    + certificate
                    + "}",
                "stringData: {ca.crt: " + certificate + "}",
                "type: kubernetes.io/tls, stringData: {tls.crt: " + certificate + "}")));
  }

  private static String quote(String pem) {
    return "\"" + pem.replace("\n", "\\n") + "\"";
  }

  private String delegation() {
    return object(
        "projectcontour.io/v1",
        "TLSCertificateDelegation",
        one(List.of("d1", "d2")),
        "spec: {delegations: [{secretName: "
            + one(List.of("s1", "s2", "s2", "s2"))
            + ", targetNamespaces: ["
            + one(List.of("a", "'*'", "z"))
            + "]}]}");
  }

  private String policy() {
    String filter =
        "{name: "
            + one(List.of("f", "g"))
            + ", typedConfig: {'@type':"
            + " type.googleapis.com/envoy.extensions.filters.http.buffer.v3.Buffer,"
            + " max_request_bytes: "
            + (1 + random.nextInt(2))
            + "}}";
    return object(
        "holdfast.dev/v1alpha1",
        "ExtensionPolicy",
        one(List.of("x1", "x2")),
        "spec: {targetRef: {name: "
            + one(List.of("r1", "r2", "c1"))
            + one(List.of("", "", ", route: 0", ", route: 1"))
            + "}, "
            + one(List.of("perRoute: [" + filter + "], ", ""))
            + "httpFilters: ["
            + filter
            + one(
                List.of("", ", {name: h, typedConfig: " + filter.replaceAll(".*typedConfig: ", "")))
            + "]}");
  }

  private String ingress() {
    return object(
        "networking.k8s.io/v1",
        "Ingress",
        one(List.of("i1", "i2")),
        "spec: {"
            + one(List.of("", "", "tls: [{hosts: [one.com], secretName: s1}], "))
            + one(List.of("", "", "defaultBackend: {service: {name: v1, port: {number: 80}}}, "))
            + "rules: [{host: "
            + one(List.of("one.com", "four.com"))
            + ", http: {paths: [{path: "
            + one(List.of("/", "/i"))
            + ", pathType: "
            + one(List.of("Prefix", "Exact"))
            + ", backend: {service: {name: "
            + one(List.of("v1", "v2", "v9"))
            + ", port: "
            + one(List.of("{number: 80}", "{name: b}"))
            + "}}}]}}]}");
  }
}
