// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.config.files.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Objects written as YAML, and their translation. */
public final class YamlObjects {
  private YamlObjects() {}

  public static SortedMap<ObjectKey, @Nullable ConfigObject> objects(String yaml) {
    Documents documents = YamlReader.read("f", yaml.getBytes(StandardCharsets.UTF_8));
    assertThat(documents.problems()).isEmpty();
    SortedMap<ObjectKey, @Nullable ConfigObject> objects = new TreeMap<>();
    for (Value document : documents.documents()) {
      ReadResult reading = ObjectReader.read(document);
      assertThat(reading.problems()).isEmpty();
      reading.objects().forEach(object -> objects.put(object.key(), object));
    }
    return objects;
  }

  public static List<ConfigObject> list(String yaml) {
    return objects(yaml).values().stream().filter(Objects::nonNull).toList();
  }

  static Translation translation(String yaml) {
    return Translation.empty(TranslationOptions.defaults()).with(objects(yaml));
  }

  /** The removal of one object. */
  static SortedMap<ObjectKey, @Nullable ConfigObject> without(ObjectKey key) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    changes.put(key, null);
    return changes;
  }

  static ObjectKey proxyKey(String name) {
    return new ObjectKey("HTTPProxy", "default", name);
  }

  public static String object(String apiVersion, String kind, String name, String rest) {
    return "---\n{apiVersion: "
        + apiVersion
        + ", kind: "
        + kind
        + ", metadata: {name: "
        + name
        + "}, "
        + rest
        + "}\n";
  }

  /** A service with port 80 and one endpoint. */
  public static String service(String name) {
    return object("v1", "Service", name, "spec: {ports: [{port: 80}]}")
        + slice(name, name + "-1", "10.0.0.1");
  }

  static String slice(String service, String name, String address) {
    return "---\n{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: "
        + name
        + ", labels: {kubernetes.io/service-name: "
        + service
        + "}}, addressType: IPv4, ports: [{port: 8080}], endpoints: [{addresses: ["
        + address
        + "]}]}\n";
  }

  static String proxy(String name, String spec) {
    return object("projectcontour.io/v1", "HTTPProxy", name, "spec: {" + spec + "}");
  }

  /** A root for the host {@code name.com}. */
  public static String root(String name, String rest) {
    return proxy(name, "virtualhost: {fqdn: " + name + ".com}, " + rest);
  }

  /** A route of all requests to a service. */
  public static String to(String service) {
    return "{services: [{name: " + service + ", port: 80}]}";
  }

  /** A route of a prefix to a service. */
  static String at(String prefix, String service) {
    return "{conditions: [{prefix: '"
        + prefix
        + "'}], services: [{name: "
        + service
        + ", port: 80}]}";
  }

  public static String routes(String... routes) {
    return "routes: [" + String.join(", ", routes) + "]";
  }
}
