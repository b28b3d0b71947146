// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import dev.holdfast.testkit.TestCa;

/** More objects as authors write them. A name is {@code name} or {@code namespace/name}. */
public final class Docs {
  private Docs() {}

  /** Several objects in one file. */
  public static String of(String... objects) {
    return String.join("---\n", objects);
  }

  public static String proxy(String name, String spec) {
    return object("projectcontour.io/v1", "HTTPProxy", name, "", spec);
  }

  /** A root whose TLS ends at the proxy, and all of which goes to one service. */
  public static String secure(String name, String fqdn, String tls, String service) {
    return proxy(
        name,
        """
        virtualhost:
          fqdn: %s
          tls: {%s}
        routes: [{services: [{name: %s, port: 80}]}]
        """
            .formatted(fqdn, tls, service));
  }

  public static String tlsSecret(String name, TestCa.Identity identity) {
    return """
        apiVersion: v1
        kind: Secret
        metadata: {%s}
        type: kubernetes.io/tls
        stringData:
          tls.crt: |
        %s  tls.key: |
        %s"""
        .formatted(
            metadata(name),
            identity.certificatePem().indent(4),
            identity.privateKeyPem().indent(4));
  }

  public static String caSecret(String name, TestCa ca) {
    return """
        apiVersion: v1
        kind: Secret
        metadata: {%s}
        type: Opaque
        stringData:
          ca.crt: |
        %s"""
        .formatted(metadata(name), ca.certificatePem().indent(4));
  }

  /** Lets objects of another namespace use a secret. */
  /** A Secret with revocation lists. */
  public static String revocations(String name, String pem) {
    return """
        apiVersion: v1
        kind: Secret
        metadata: {name: %s}
        stringData:
          crl.pem: |
        %s"""
        .formatted(name, pem.indent(4));
  }

  public static String delegation(String name, String secret, String toNamespace) {
    return object(
        "projectcontour.io/v1",
        "TLSCertificateDelegation",
        name,
        "",
        "delegations: [{secretName: %s, targetNamespaces: [\"%s\"]}]\n"
            .formatted(secret, toNamespace));
  }

  /**
   * @param annotations a flow mapping's content, such as {@code a/b: "1", c/d: "2"}
   */
  public static String ingress(String name, String annotations, String spec) {
    return object("networking.k8s.io/v1", "Ingress", name, annotations, spec);
  }

  public static String policy(String name, String spec) {
    return object("holdfast.dev/v1alpha1", "ExtensionPolicy", name, "", spec);
  }

  /** A service with endpoints that a test writes itself. */
  public static String bareService(String name, String annotations, String ports) {
    return object("v1", "Service", name, annotations, "ports: [%s]\n".formatted(ports));
  }

  public static String slice(String name, String service, String ports, String endpoints) {
    return """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {%s, labels: {kubernetes.io/service-name: %s}}
        addressType: IPv4
        ports: [%s]
        endpoints: [%s]
        """
        .formatted(metadata(name), service, ports, endpoints);
  }

  private static String object(
      String apiVersion, String kind, String name, String annotations, String spec) {
    return """
        apiVersion: %s
        kind: %s
        metadata: {%s, annotations: {%s}}
        spec:
        %s"""
        .formatted(apiVersion, kind, metadata(name), annotations, spec.indent(2));
  }

  private static String metadata(String name) {
    int slash = name.indexOf('/');
    return slash < 0
        ? "name: " + name
        : "namespace: " + name.substring(0, slash) + ", name: " + name.substring(slash + 1);
  }
}
