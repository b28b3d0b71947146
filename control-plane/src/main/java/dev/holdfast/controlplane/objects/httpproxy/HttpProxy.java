// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.OnReject;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An HTTPProxy: a root if it has a {@code virtualHost}, otherwise routes that other proxies
 * include.
 *
 * @param ingressClass empty if the object names none
 */
public record HttpProxy(
    ObjectKey key,
    String ingressClass,
    @Nullable VirtualHost virtualHost,
    List<Route> routes,
    List<Include> includes,
    @Nullable TcpProxy tcpProxy)
    implements TypedObject {
  public static final String API_VERSION = "projectcontour.io/v1";
  public static final String KIND = "HTTPProxy";

  /**
   * Decodes an object; problems are added to the context, which decides whether the result may be
   * used.
   */
  public static HttpProxy decode(ConfigObject object, DecodingContext context) {
    Spec spec = context.read(object.body(), HttpProxy::body);
    OnReject.check(object, context);
    return new HttpProxy(
        object.key(),
        ingressClass(object, spec.ingressClassName()),
        spec.virtualHost(),
        spec.routes(),
        spec.includes().stream()
            .map(include -> include.withDefaultNamespace(object.key().namespace()))
            .toList(),
        spec.tcpProxy() == null
            ? null
            : spec.tcpProxy().withDefaultNamespace(object.key().namespace()));
  }

  /** Decodes the fields next to the metadata. */
  public static Spec body(Fields fields) {
    return fields.requiredGroup("spec", Spec::decode);
  }

  /** The spec as written. */
  public record Spec(
      String ingressClassName,
      @Nullable VirtualHost virtualHost,
      List<Route> routes,
      List<Include> includes,
      @Nullable TcpProxy tcpProxy) {
    static Spec decode(Fields fields) {
      Spec spec =
          new Spec(
              fields.textOrEmpty("ingressClassName", TextRules.ANY),
              fields.group("virtualhost", VirtualHost::decode),
              fields.groups("routes", Route::decode),
              fields.groups("includes", Include::decode),
              fields.group("tcpproxy", TcpProxy::decode));
      checkRoot(spec, fields);
      return spec;
    }

    private static void checkRoot(Spec spec, Fields fields) {
      if (!fields.has("virtualhost")) {
        return;
      }
      if (!fields.has("routes") && !fields.has("includes") && !fields.has("tcpproxy")) {
        fields.invalid("empty virtual host (expected: routes, includes or tcpproxy)");
      }
      VirtualHost host = spec.virtualHost();
      if (fields.has("tcpproxy") && host != null && host.authorization() != null) {
        fields.invalid("tcpproxy", "has no requests to authorize (expected: no authorization)");
      }
      if (fields.has("tcpproxy")
          && host != null
          && host.tls() != null
          && host.tls().fallback()
          && !host.tls().passthrough()) {
        fields.invalid(
            "tcpproxy",
            "has no routes for a fallback certificate (expected: no enableFallbackCertificate)");
      }
      if (fields.has("tcpproxy") && host != null && host.tls() == null) {
        fields.invalid("tcpproxy", "needs TLS (expected: spec.virtualhost.tls as well)");
      }
    }
  }

  /** Annotations take precedence over the field, as in Contour. */
  private static String ingressClass(ConfigObject object, String field) {
    for (String name : List.of("projectcontour.io/ingress.class", "kubernetes.io/ingress.class")) {
      String annotation = object.annotations().get(name);
      if (annotation != null) {
        return annotation;
      }
    }
    return field;
  }
}
