// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.ingress;

import dev.holdfast.controlplane.objects.httpproxy.RetryPolicy;
import dev.holdfast.controlplane.objects.httpproxy.Tls.Version;
import dev.holdfast.controlplane.objects.read.Annotations;
import dev.holdfast.controlplane.objects.read.Timeout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings in the annotations of an ingress.
 *
 * @param retryOn empty for no retries at all
 * @param websocketRoutes the paths that may be upgraded to websockets
 * @param tlsCertNamespace the namespace of the secrets; empty for the ingress's own
 */
public record IngressSettings(
    boolean allowHttp,
    boolean forceSslRedirect,
    List<RetryPolicy.On> retryOn,
    int retries,
    Timeout perTryTimeout,
    Timeout responseTimeout,
    Version tlsMinimum,
    Version tlsMaximum,
    List<String> websocketRoutes,
    String tlsCertNamespace) {
  private static final String PREFIX = "projectcontour.io/";

  static IngressSettings decode(Annotations annotations) {
    Version minimum =
        annotations.enumValue(PREFIX + "tls-minimum-protocol-version", Version.TLS_1_2);
    Version maximum =
        annotations.enumValue(PREFIX + "tls-maximum-protocol-version", Version.TLS_1_3);
    if (minimum.compareTo(maximum) > 0) {
      annotations.invalid(
          PREFIX + "tls-minimum-protocol-version",
          minimum.word() + " (expected: not above the maximum, " + maximum.word() + ")");
    }
    String namespace = annotations.text(PREFIX + "tls-cert-namespace");
    return new IngressSettings(
        annotations.flag("kubernetes.io/ingress.allow-http", /* fallback= */ true),
        annotations.flag("ingress.kubernetes.io/force-ssl-redirect", /* fallback= */ false),
        retryOn(annotations),
        retries(annotations.integer(PREFIX + "num-retries", -1, Integer.MAX_VALUE)),
        annotations.timeout(PREFIX + "per-try-timeout"),
        responseTimeout(annotations),
        minimum,
        maximum,
        annotations.list(PREFIX + "websocket-routes"),
        namespace == null ? "" : namespace);
  }

  /** Annotations take precedence over the field. */
  static String ingressClass(Annotations annotations, String field) {
    String own = annotations.text(PREFIX + "ingress.class");
    String common = annotations.text("kubernetes.io/ingress.class");
    return own != null ? own : common != null ? common : field;
  }

  private static List<RetryPolicy.On> retryOn(Annotations annotations) {
    String name = PREFIX + "retry-on";
    List<RetryPolicy.On> all = new ArrayList<>();
    for (String word : annotations.list(name)) {
      RetryPolicy.On on =
          Stream.of(RetryPolicy.On.values())
              .filter(known -> known.word().equals(word))
              .findFirst()
              .orElse(null);
      if (on == null) {
        annotations.invalid(
            name, "\"" + word + "\" (expected: conditions that Envoy knows, such as 5xx)");
      } else {
        all.add(on);
      }
    }
    return List.copyOf(all);
  }

  private static int retries(@Nullable Long written) {
    return written == null || written == 0 ? 1 : written == -1 ? 0 : written.intValue();
  }

  private static Timeout responseTimeout(Annotations annotations) {
    String name = PREFIX + "response-timeout";
    String legacy = PREFIX + "request-timeout";
    return annotations.timeout(annotations.text(name) == null ? legacy : name);
  }
}
