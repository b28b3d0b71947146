// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

/** Objects as authors write them. */
public final class Yaml {
  private Yaml() {}

  /** A service of one port, 80, whose endpoints are on this machine. */
  public static String service(String name, int... ports) {
    return service(name, "", ports);
  }

  /**
   * @param annotations lines of {@code name: "value"}, each indented by four
   */
  public static String service(String name, String annotations, int... ports) {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: v1
            kind: Service
            metadata:
              name: %s
            %sspec:
              ports: [{name: http, port: 80}]
            """
                .formatted(name, annotations.isEmpty() ? "" : "  annotations:\n" + annotations));
    for (int port : ports) {
      text.append(
          """
          ---
          apiVersion: discovery.k8s.io/v1
          kind: EndpointSlice
          metadata:
            name: %s-%d
            labels: {kubernetes.io/service-name: %s}
          addressType: IPv4
          ports: [{name: http, port: %d}]
          endpoints: [{addresses: [127.0.0.1]}]
          """
              .formatted(name, port, name, port));
    }
    return text.toString();
  }

  /** A root for a host; the spec's other fields follow, indented by two. */
  public static String root(String name, String fqdn, String spec) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata:
          name: %s
        spec:
          virtualhost:
            fqdn: %s
        %s"""
        .formatted(name, fqdn, spec.indent(2));
  }
}
