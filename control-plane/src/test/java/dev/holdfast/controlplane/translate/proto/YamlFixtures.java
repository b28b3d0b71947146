// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.controlplane.objects.ObjectKind;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Typed objects decoded from YAML. */
public final class YamlFixtures {
  private YamlFixtures() {}

  /** Decodes an object that must be valid. */
  public static <T extends TypedObject> T object(Class<T> type, String yaml) {
    List<Value> documents = YamlReader.read("f", yaml.getBytes(StandardCharsets.UTF_8)).documents();
    assertThat(documents).hasSize(1);
    ReadResult reading = ObjectReader.read(documents.get(0));
    assertThat(reading.problems()).isEmpty();
    ConfigObject object = reading.objects().get(0);
    return ObjectKind.decode(object)
        .fold(
            valid -> type.cast(valid.object()),
            invalid -> {
              throw new AssertionError(invalid.problems());
            });
  }

  /** The only route of an HTTPProxy; {@code route} in YAML's flow style, without the braces. */
  public static Route route(String route) {
    return proxy("routes: [{" + route + "}]").routes().get(0);
  }

  /** The virtual host of an HTTPProxy. */
  public static VirtualHost host(String host) {
    VirtualHost read =
        proxy("virtualhost: {fqdn: shop.example, " + host + "}\nincludes: [{name: c}]")
            .virtualHost();
    if (read == null) {
      throw new AssertionError("no virtual host");
    }
    return read;
  }

  /** An HTTPProxy with this spec. */
  public static HttpProxy proxy(String spec) {
    String head =
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: p, namespace: shop}
        spec:
        """;
    return object(HttpProxy.class, head + spec.indent(2));
  }

  /** An Ingress with one path. */
  public static Ingress ingress(String annotations, String path) {
    return object(
        Ingress.class,
        """
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata: {name: i, namespace: shop, annotations: {%s}}
        spec:
          rules:
          - http: {paths: [{%s, backend: {service: {name: s, port: {number: 80}}}}]}
        """
            .formatted(annotations, path));
  }
}
