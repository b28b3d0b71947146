// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import dev.holdfast.interop.serve.Docs;

/** Hosts as authors write them, with and without mistakes that only Envoy can see. */
final class Hosts {
  /** Takes RE2 more instructions than Envoy allows for. */
  private static final String TOO_BIG = "/[a-z0-9]{1,200}/x";

  private Hosts() {}

  static String fqdn(String name) {
    return name + ".example.com";
  }

  /** The secret that all hosts with TLS show. */
  static String certificate() {
    return Docs.tlsSecret("cert", Scene.CA.issue("server"));
  }

  /** One that sends all requests to a service. */
  static String good(String name, boolean tls, String service) {
    return proxy(name, tls, "routes: [{services: [{name: %s, port: 80}]}]".formatted(service));
  }

  static String good(String name, String service) {
    return good(name, false, service);
  }

  /** Two routes: {@code /x}, and all else. */
  static String twoRoutes(String name, boolean tls, String service) {
    return proxy(
        name,
        tls,
        """
        routes:
        - conditions: [{prefix: /x}]
          services: [{name: %s, port: 80}]
        - services: [{name: %s, port: 80}]"""
            .formatted(service, service));
  }

  /** One that only Envoy can tell is bad, for a regular expression. */
  static String bad(String name, boolean tls, String service) {
    return proxy(
        name,
        tls,
        """
        routes:
        - services: [{name: %s, port: 80}]
        - conditions: [{regex: "%s"}]
          services: [{name: %s, port: 80}]"""
            .formatted(service, TOO_BIG, service));
  }

  /** One whose mistake Envoy quotes in too few letters to tell whose it is. */
  static String badWithoutAWord(String name, String service) {
    return proxy(
        name,
        false,
        """
        routes:
        - services: [{name: %s, port: 80}]
        - conditions: [{regex: "/\\\\pL"}]
          services: [{name: %s, port: 80}]"""
            .formatted(service, service));
  }

  static String badWithoutAWord(String name) {
    return badWithoutAWord(name, "one");
  }

  static String bad(String name, String service) {
    return bad(name, false, service);
  }

  /** A script for a host's first route. */
  static String script(String name, String target, String script) {
    return Docs.policy(
        name,
        """
        targetRef: {name: %s, route: 0}
        perRoute:
        - name: envoy.filters.http.lua
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
            source_code: {inline_string: "%s"}
        """
            .formatted(target, script));
  }

  private static String proxy(String name, boolean tls, String routes) {
    return Docs.proxy(
        name,
        "virtualhost: {fqdn: %s%s}\n%s\n"
            .formatted(fqdn(name), tls ? ", tls: {secretName: cert}" : "", routes));
  }
}
