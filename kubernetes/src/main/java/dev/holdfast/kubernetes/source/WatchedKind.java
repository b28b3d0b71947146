// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.source;

import java.util.List;
import java.util.stream.Stream;

/**
 * A kind of object that is read from a cluster.
 *
 * @param kind as in ObjectKey
 * @param apiVersion such as {@code networking.k8s.io/v1}
 * @param plural as it stands in paths
 * @param selector a field selector; empty for all objects
 */
public record WatchedKind(String kind, String apiVersion, String plural, String selector) {
  /**
   * Types of Secrets that hold nothing for a proxy. There may be thousands of them, and what is not
   * read cannot leak.
   */
  private static final String USEFUL_SECRETS =
      Stream.of(
              "helm.sh/release.v1",
              "kubernetes.io/service-account-token",
              "kubernetes.io/dockercfg",
              "kubernetes.io/dockerconfigjson",
              "bootstrap.kubernetes.io/token")
          .map(type -> "type%21%3D" + type)
          .reduce((a, b) -> a + "%2C" + b)
          .orElse("");

  /** All kinds that Holdfast reads. */
  public static final List<WatchedKind> ALL =
      List.of(
          new WatchedKind("HTTPProxy", "projectcontour.io/v1", "httpproxies", ""),
          new WatchedKind(
              "TLSCertificateDelegation", "projectcontour.io/v1", "tlscertificatedelegations", ""),
          new WatchedKind(
              "ExtensionService", "projectcontour.io/v1alpha1", "extensionservices", ""),
          new WatchedKind("Ingress", "networking.k8s.io/v1", "ingresses", ""),
          new WatchedKind("Service", "v1", "services", ""),
          new WatchedKind("EndpointSlice", "discovery.k8s.io/v1", "endpointslices", ""),
          new WatchedKind("Secret", "v1", "secrets", USEFUL_SECRETS),
          new WatchedKind("ExtensionPolicy", "holdfast.dev/v1alpha1", "extensionpolicies", ""));

  /** The path of all objects, of one namespace or (empty) of all. */
  public String path(String namespace) {
    return root() + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural;
  }

  /** The path of one object. */
  public String path(String namespace, String name) {
    return path(namespace) + "/" + name;
  }

  private String root() {
    return (apiVersion.indexOf('/') < 0 ? "/api/" : "/apis/") + apiVersion;
  }

  /** The kind of this name; it has to be one. */
  public static WatchedKind of(String kind) {
    return ALL.stream()
        .filter(each -> each.kind.equals(kind))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("kind: " + kind));
  }
}
