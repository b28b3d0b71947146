// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A control plane with a shop of ten hosts, and three Envoys that run it. */
final class Shop implements AutoCloseable {
  /** What these Envoys say to a route with the header that they cannot stand. */
  static final String REFUSAL = "Invalid header map: the filter chain has no decoder for this";

  static final List<String> HOSTS =
      List.of(
          "account",
          "basket",
          "checkout",
          "delivery",
          "gifts",
          "help",
          "reviews",
          "search",
          "stores",
          "wishlist");

  private static final String FILE = "hosts.yaml";
  private static final String ODD_HEADER = "x-odd";

  private final Plane plane;
  private final List<FakeEnvoy> envoys = new ArrayList<>();

  private Shop(Plane plane) {
    this.plane = plane;
  }

  static Shop open() {
    Shop shop =
        new Shop(Plane.start("services.yaml", services(), FILE, hosts("v1", /* odd= */ null)));
    shop.join(EnvoyOptions.delta("edge-1"));
    shop.join(EnvoyOptions.delta("edge-2"));
    shop.join(EnvoyOptions.sotw("edge-3").withVersion("1.38.2"));
    HOSTS.forEach(host -> shop.plane.awaitProgrammed(key(host), 1));
    return shop;
  }

  private void join(EnvoyOptions options) {
    envoys.add(
        FakeEnvoy.start(
            options.withValidator(Validator.on(RouteConfiguration.class, Shop::check)),
            plane.xdsPort()));
  }

  private static @Nullable String check(RouteConfiguration routes) {
    for (VirtualHost host : routes.getVirtualHostsList()) {
      for (Route route : host.getRoutesList()) {
        if (route.getMatch().getHeadersList().stream()
            .anyMatch(header -> header.getName().equals(ODD_HEADER))) {
          return REFUSAL;
        }
      }
    }
    return null;
  }

  static String key(String host) {
    return "HTTPProxy/shop/" + host;
  }

  Plane plane() {
    return plane;
  }

  /** The address of the console. */
  String console() {
    return "http://127.0.0.1:" + plane.adminPort() + "/console/";
  }

  /** One edit of all hosts, of which one may be such that Envoys refuse it. */
  void edit(String version, @Nullable String odd) {
    plane.write(FILE, hosts(version, odd));
  }

  /** One host gets a route with a field that does not exist. */
  void invalid(String odd) {
    String good = hosts("v1", null);
    plane.write(
        FILE,
        good.replace(
            "virtualhost: {fqdn: " + odd + ".example.com}\n",
            "virtualhost: {fqdn: " + odd + ".example.com}\n  rotues: []\n"));
  }

  /** An object of the shop. */
  static String proxy(String name, String spec) {
    return Docs.of(Docs.proxy("shop/" + name, spec));
  }

  /** From now on the Envoys take their time. */
  void slow(Duration delay) {
    envoys.forEach(envoy -> envoy.conduct(AnswerMode.slow(delay)));
  }

  void prompt() {
    envoys.forEach(envoy -> envoy.conduct(AnswerMode.PROMPT));
  }

  private static String services() {
    return Docs.of(
        Docs.bareService("shop/web", "", "{name: http, port: 80}"),
        Docs.slice("shop/web-1", "web", "{name: http, port: 9001}", "{addresses: [127.0.0.1]}"));
  }

  private static String hosts(String version, @Nullable String odd) {
    return Docs.of(
        HOSTS.stream().map(host -> host(host, version, host.equals(odd))).toArray(String[]::new));
  }

  private static String host(String name, String version, boolean isOdd) {
    String header = isOdd ? ", {header: {name: " + ODD_HEADER + ", present: true}}" : "";
    return Docs.proxy(
        "shop/" + name,
        """
        virtualhost: {fqdn: %s.example.com}
        routes:
        - conditions: [{prefix: /}%s]
          services: [{name: web, port: 80}]
          responseHeadersPolicy:
            set: [{name: x-version, value: %s}]
        """
            .formatted(name, header, version));
  }

  @Override
  public void close() {
    envoys.forEach(FakeEnvoy::close);
    plane.close();
  }
}
