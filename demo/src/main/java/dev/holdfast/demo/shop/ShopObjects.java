// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.shop;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The objects of the shop, as YAML. */
public final class ShopObjects {
  public static final String NAMESPACE = "shop";
  public static final String HOST = "shop.example.com";

  private static final int CUSTOMERS = 600;

  private ShopObjects() {}

  /** A backend on this machine. */
  public static String backend(String name, int port) {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: %s, namespace: shop}
        spec:
          ports: [{name: grpc, port: 80}]
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata:
          name: %s-1
          namespace: shop
          labels: {kubernetes.io/service-name: %s}
        addressType: IPv4
        ports: [{name: grpc, port: %d}]
        endpoints: [{addresses: [127.0.0.1]}]
        """
        .formatted(name, name, name, port);
  }

  /** The host, which hands each service to its team. */
  public static String root() {
    String includes =
        Arrays.stream(Team.values())
            .map(
                team ->
                    "    - {name: %s, conditions: [{prefix: /%s/}]}\n"
                        .formatted(team.object(), team.service()))
            .collect(Collectors.joining());
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: shop, namespace: shop}
        spec:
          virtualhost: {fqdn: %s}
          includes:
        """
            .formatted(HOST)
        + includes;
  }

  /** A team's routes: everything to one backend. */
  public static String routes(Team team, String backend) {
    return proxy(team) + route(backend);
  }

  /**
   * The same, with a route for some customers, by a regular expression that lists them all. RE2
   * understands it; how long an expression may be is for each proxy to say.
   */
  public static String routesByCustomer(Team team, String backend) {
    return proxy(team)
        + """
            - conditions:
                - header: {name: x-customer, regex: "%s"}
              services: [{name: %s, port: 80, protocol: h2c}]
        """
            .formatted(customers(), backend)
        + route(backend);
  }

  /** An expression of some thousand characters. */
  public static String customers() {
    return IntStream.range(0, CUSTOMERS)
        .mapToObj(i -> "c-" + (10_000 + 7 * i))
        .collect(Collectors.joining("|"));
  }

  private static String proxy(Team team) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %s, namespace: shop}
        spec:
          routes:
        """
        .formatted(team.object());
  }

  private static String route(String backend) {
    return "    - services: [{name: %s, port: 80, protocol: h2c}]\n".formatted(backend);
  }

  /** A script that Envoy runs for a team's responses. */
  public static String script(Team team, String mark) {
    return policy(team, "handle:headers():add(\"x-mark\", \"%s\")".formatted(mark));
  }

  /** The same, without its last bracket. */
  public static String brokenScript(Team team, String mark) {
    return policy(team, "handle:headers():add(\"x-mark\", \"%s\"".formatted(mark));
  }

  /** One that ends every Envoy which loads it. */
  public static String deadlyScript(Team team) {
    return policy(team, "handle:headers():add(\"x-mark\", \"none\")") + "os.exit(1)\n".indent(12);
  }

  private static String policy(Team team, String statement) {
    return """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: %s, namespace: shop}
        spec:
          targetRef: {name: %s}
          perRoute:
            - name: envoy.filters.http.lua
              typedConfig:
                "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
                source_code:
                  inline_string: |
                    function envoy_on_response(handle)
                      %s
                    end
        """
        .formatted(team.object(), team.object(), statement);
  }
}
