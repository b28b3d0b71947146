// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import dev.holdfast.testkit.TestCa;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Hosts, routes, services and endpoints, as files and as what must be answered. The files are such
 * that each route's services exist, at every moment at which an edit leaves them.
 */
final class RandomShop {
  /** Settings of routes that change nothing about who answers. */
  private static final List<String> SETTINGS =
      List.of(
          "timeoutPolicy: {response: 15s}",
          "retryPolicy: {count: 2}",
          "loadBalancerPolicy: {strategy: Random}",
          "loadBalancerPolicy: {strategy: WeightedLeastRequest}",
          "healthCheckPolicy: {path: /healthz, intervalSeconds: 1, timeoutSeconds: 1}",
          "responseHeadersPolicy: {set: [{name: x-set, value: a}]}",
          "requestHeadersPolicy: {set: [{name: x-set, value: b}]}",
          "enableWebsockets: true");

  /** A route's services, and which of the settings it has. */
  record Route(List<String> services, int setting) {}

  /**
   * @param endpoints names of backends
   * @param connections an annotation, so that the cluster changes while its name does not
   */
  record Service(SortedSet<String> endpoints, int connections) {}

  /**
   * @param routes by their prefix
   * @param certificate PEM; empty for a host without TLS
   */
  record Host(SortedMap<String, Route> routes, List<String> certificate) {}

  private final SortedMap<String, Integer> backends;
  private final TestCa ca;
  final SortedMap<String, Host> hosts = new TreeMap<>();
  final SortedMap<String, Service> services = new TreeMap<>();

  /**
   * @param backends the ports of all backends that an endpoint may be
   */
  RandomShop(SortedMap<String, Integer> backends, TestCa ca) {
    this.backends = backends;
    this.ca = ca;
  }

  List<String> newCertificate(String host) {
    TestCa.Identity identity = ca.issue(host);
    return List.of(identity.certificatePem(), identity.privateKeyPem());
  }

  static int settings() {
    return SETTINGS.size();
  }

  /** What must be answered when everything is as the files say. */
  Oracle oracle(String what) {
    SortedMap<Probe, Set<String>> targets = new TreeMap<>();
    hosts.forEach(
        (name, host) ->
            host.routes()
                .forEach(
                    (prefix, route) ->
                        targets.put(
                            new Probe(fqdn(name), prefix + "/x", !host.certificate().isEmpty()),
                            new TreeSet<>(route.services()))));
    SortedMap<String, Set<String>> endpoints = new TreeMap<>();
    services.forEach((name, service) -> endpoints.put(name, service.endpoints()));
    return new Oracle(what, targets, endpoints);
  }

  static String fqdn(String host) {
    return host + ".example.com";
  }

  /** The file of a host, or its end. */
  Edit.Change hostFile(String name) {
    Host host = hosts.get(name);
    return new Edit.Change("host-" + name + ".yaml", host == null ? null : write(name, host));
  }

  Edit.Change serviceFile(String name) {
    Service service = services.get(name);
    return new Edit.Change(
        "service-" + name + ".yaml", service == null ? null : write(name, service));
  }

  /** All files. */
  List<Edit.Change> files() {
    List<Edit.Change> files = new ArrayList<>();
    services.keySet().forEach(name -> files.add(serviceFile(name)));
    hosts.keySet().forEach(name -> files.add(hostFile(name)));
    return files;
  }

  private String write(String name, Service service) {
    int[] ports =
        service.endpoints().stream()
            .mapToInt(backend -> backends.getOrDefault(backend, 0))
            .toArray();
    return Yaml.service(
        name, "    projectcontour.io/max-connections: \"" + service.connections() + "\"\n", ports);
  }

  private static String write(String name, Host host) {
    StringBuilder routes = new StringBuilder("routes:\n");
    host.routes()
        .forEach(
            (prefix, route) -> {
              List<String> targets = new ArrayList<>();
              route
                  .services()
                  .forEach(service -> targets.add("{name: " + service + ", port: 80, weight: 1}"));
              routes.append(
                  """
                  - conditions: [{prefix: %s}]
                    services: [%s]
                    %s
                  """
                      .formatted(
                          prefix, String.join(", ", targets), SETTINGS.get(route.setting())));
            });
    if (host.certificate().isEmpty()) {
      return Yaml.root(name, fqdn(name), routes.toString());
    }
    return Yaml.root(name, fqdn(name), "  tls: {secretName: " + name + "}\n" + routes)
        + """
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: %s}
        type: kubernetes.io/tls
        data: {tls.crt: %s, tls.key: %s}
        """
            .formatted(name, base64(host.certificate().get(0)), base64(host.certificate().get(1)));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
