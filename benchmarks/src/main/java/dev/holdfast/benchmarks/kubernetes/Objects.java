// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.util.Locale;

/**
 * The objects of one side, in a namespace of its own: hosts with two routes each, and for every ten
 * of them a Service with one endpoint. The first route sets a response header, and an edit is
 * another value of it.
 */
final class Objects {
  static final String HEADER = "x-edit";
  private static final int HOSTS_PER_SERVICE = 10;
  private static final String PROXIES = "/apis/projectcontour.io/v1/namespaces/%s/httpproxies";

  private Objects() {}

  static String fqdn(int host) {
    return name(host) + ".example.com";
  }

  private static String name(int host) {
    return String.format(Locale.ROOT, "host-%05d", host);
  }

  static String proxies(String namespace) {
    return PROXIES.formatted(namespace);
  }

  static void createNamespace(Api api, String namespace) {
    api.create(
        "/api/v1/namespaces",
        """
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}
        """
            .formatted(namespace));
  }

  /** A host, and its Service if it is the first one of it. */
  static void createHost(Api api, String namespace, int host, String address, int port) {
    if (host % HOSTS_PER_SERVICE == 0) {
      api.create(
          "/api/v1/namespaces/" + namespace + "/services",
          """
          {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "%s"},
           "spec": {"ports": [{"name": "http", "port": 80}]}}
          """
              .formatted(service(host)));
      api.create(
          "/apis/discovery.k8s.io/v1/namespaces/" + namespace + "/endpointslices",
          """
          {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
           "metadata": {"name": "%s-1", "labels": {"kubernetes.io/service-name": "%s"}},
           "addressType": "IPv4",
           "endpoints": [{"addresses": ["%s"], "conditions": {"ready": true}}],
           "ports": [{"name": "http", "port": %d, "protocol": "TCP"}]}
          """
              .formatted(service(host), service(host), address, port));
    }
    api.create(
        proxies(namespace),
        """
        {"apiVersion": "projectcontour.io/v1", "kind": "HTTPProxy", "metadata": {"name": "%s"},
         "spec": {"virtualhost": {"fqdn": "%s"}, "routes": %s}}
        """
            .formatted(name(host), fqdn(host), routes(host, "0")));
  }

  static void edit(Api api, String namespace, int host, String value) {
    api.merge(
        proxies(namespace) + "/" + name(host),
        """
        {"spec": {"routes": %s}}
        """
            .formatted(routes(host, value)));
  }

  private static String service(int host) {
    return String.format(Locale.ROOT, "service-%04d", host / HOSTS_PER_SERVICE);
  }

  private static String routes(int host, String value) {
    return """
    [{"conditions": [{"prefix": "/"}], "services": [{"name": "%s", "port": 80}],
      "responseHeadersPolicy": {"set": [{"name": "%s", "value": "%s"}]}},
     {"conditions": [{"prefix": "/api"}], "services": [{"name": "%s", "port": 80}],
      "timeoutPolicy": {"response": "15s"}}]
    """
        .formatted(service(host), HEADER, value, service(host));
  }
}
