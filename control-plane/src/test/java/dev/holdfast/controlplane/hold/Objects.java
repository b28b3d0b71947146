// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.config.files.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** Objects as YAML. */
final class Objects {
  /** What the Envoys here refuse to answer with, in words that point at nobody. */
  static final int UNSPEAKABLE = 599;

  /** What any Envoy refuses, and quotes. */
  private static final String TOO_BIG = "/a{999}";

  private Objects() {}

  static SortedMap<ObjectKey, ConfigObject> read(String yaml) {
    Documents documents = YamlReader.read("f", yaml.getBytes(StandardCharsets.UTF_8));
    assertThat(documents.problems()).isEmpty();
    SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
    for (Value document : documents.documents()) {
      ReadResult reading = ObjectReader.read(document);
      assertThat(reading.problems()).isEmpty();
      reading.objects().forEach(object -> objects.put(object.key(), object));
    }
    return objects;
  }

  static ObjectKey proxy(String name) {
    return new ObjectKey("HTTPProxy", "default", name);
  }

  static String fqdn(String name) {
    return name + ".example.com";
  }

  /** A host that answers with a status code, by which its generations are told apart. */
  static String host(String name, int status) {
    return host(name, answer(status));
  }

  /** The same with a mistake that only an Envoy sees, and that it cannot place. */
  static String bad(String name, int status) {
    return host(
        name,
        answer(status)
            + ", {conditions: [{prefix: /x}], directResponsePolicy: {statusCode: "
            + UNSPEAKABLE
            + "}}");
  }

  /** The same with a mistake that an Envoy quotes. */
  static String badInSoManyWords(String name, int status) {
    return host(
        name,
        answer(status)
            + ", {conditions: [{regex: '"
            + TOO_BIG
            + "'}], directResponsePolicy: {statusCode: 200}}");
  }

  /** One or the other. */
  static String host(String name, int status, boolean good) {
    return good ? host(name, status) : bad(name, status);
  }

  private static String answer(int status) {
    return "{directResponsePolicy: {statusCode: " + status + "}}";
  }

  /** A host that sends requests to a service. */
  static String forward(String name, String service) {
    return host(name, "{services: [{name: " + service + ", port: 80}]}");
  }

  /** A host that another one claims as well. */
  static String rival(String name, String of, int status) {
    return host(name, of, answer(status));
  }

  private static String host(String name, String routes) {
    return host(name, name, routes);
  }

  private static String host(String name, String of, String routes) {
    return """
    ---
    apiVersion: projectcontour.io/v1
    kind: HTTPProxy
    metadata: {name: %s}
    spec: {virtualhost: {fqdn: %s}, routes: [%s]}
    """
        .formatted(name, fqdn(of), routes);
  }

  static String service(String name, String address) {
    return """
    ---
    {apiVersion: v1, kind: Service, metadata: {name: %s}, spec: {ports: [{port: 80}]}}
    ---
    {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice,
     metadata: {name: %s-1, labels: {kubernetes.io/service-name: %s}},
     addressType: IPv4, ports: [{port: 8080}], endpoints: [{addresses: [%s]}]}
    """
        .formatted(name, name, name, address);
  }

  /** A policy for a host. */
  static String policy(String name, String target) {
    return policy(name, target, "function envoy_on_request(h) end");
  }

  /** The same with a script, by which its generations are told apart. */
  static String policy(String name, String target, String script) {
    return """
    ---
    apiVersion: holdfast.dev/v1alpha1
    kind: ExtensionPolicy
    metadata: {name: %s}
    spec:
      targetRef: {name: %s}
      perRoute:
      - name: envoy.filters.http.lua
        typedConfig:
          "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
          sourceCode: {inlineString: "%s"}
    """
        .formatted(name, target, script);
  }
}
