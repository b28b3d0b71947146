// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import dev.holdfast.interop.serve.Docs;

/**
 * Objects of every kind as their authors write them, well and badly. Each object is named after its
 * host; what it needs besides ({@link #rest}) has the same name and is always good. Where an object
 * that is wrong might be used all the same, the answer would be another one.
 */
final class Mistakes {
  private static final String TOO_BIG = "/[a-z0-9]{1,200}/x";
  private static final String ANYBODY = "principals: [{any: true}]";

  private Mistakes() {}

  /** The name of the object that has what a conflicting one claims. */
  static String rival(String name) {
    return name + "-rival";
  }

  /** What stands at another place of the tree and is served before a conflict. */
  static String rivalObjects(String kind, String name) {
    String rival = rival(name);
    return switch (kind) {
      case "HTTPProxy" -> Hosts.good(rival, "one");
      case "Ingress" -> ingress(rival, rival, "one");
      case "ExtensionPolicy" -> Docs.of(Hosts.good(rival, "one"), policy(rival, rival, deny("a")));
      default -> "";
    };
  }

  /** Whether clients of a host of this kind speak TLS. */
  static boolean isSecure(String kind) {
    return kind.equals("Secret") || kind.equals("TLSCertificateDelegation");
  }

  static String key(String kind, String name) {
    return kind + (kind.equals("TLSCertificateDelegation") ? "/certs/" : "/default/") + name;
  }

  /** What the object needs besides to make a difference to requests; empty if nothing. */
  static String rest(String kind, String name) {
    return switch (kind) {
      case "Service" -> Docs.of(Hosts.good(name, name), slice(name, "127.0.0.1", "one"));
      case "EndpointSlice" -> Docs.of(Hosts.good(name, name), service(name, "", "port: 80"));
      case "Secret" -> Docs.secure(name, Hosts.fqdn(name), "secretName: " + name, "one");
      case "ExtensionPolicy" -> Hosts.good(name, "one");
      case "TLSCertificateDelegation" ->
          Docs.of(
              Docs.tlsSecret("certs/" + name, Scene.CA.issue("lent")),
              Docs.secure(name, Hosts.fqdn(name), "secretName: certs/" + name, "one"));
      default -> "";
    };
  }

  static String good(String kind, String name) {
    return switch (kind) {
      case "HTTPProxy" -> Hosts.good(name, "one");
      case "Ingress" -> ingress(name, name, "one");
      case "Service" -> service(name, "", "port: 80");
      case "EndpointSlice" -> slice(name, "127.0.0.1", "one");
      case "Secret" -> Docs.tlsSecret(name, Scene.CA.issue("first"));
      case "ExtensionPolicy" -> policy(name, name, deny("first"));
      default -> Docs.delegation("certs/" + name, name, "default");
    };
  }

  /** Good again, and not as it was before. */
  static String mended(String kind, String name) {
    return switch (kind) {
      case "HTTPProxy" -> Hosts.good(name, "two");
      case "Ingress" -> ingress(name, name, "two");
      // Annotations alone make no new generation.
      case "Service" ->
          service(name, "projectcontour.io/max-connections: \"9\"", "port: 80, targetPort: 81");
      case "EndpointSlice" -> slice(name, "127.0.0.1", "two");
      case "Secret" -> Docs.tlsSecret(name, Scene.CA.issue("third"));
      case "ExtensionPolicy" -> policy(name, name, deny("mended"));
      default -> Docs.delegation("certs/" + name, name, "*");
    };
  }

  static String bad(String kind, String mistake, String name) {
    if (mistake.equals("syntax")) {
      return mended(kind, name) + "\n  : [";
    }
    return switch (kind) {
      case "HTTPProxy" -> badProxy(mistake, name);
      case "Ingress" -> badIngress(mistake, name);
      case "Service" -> badService(mistake, name);
      case "EndpointSlice" -> badSlice(mistake, name);
      case "Secret" -> badSecret(mistake, name);
      case "ExtensionPolicy" -> badPolicy(mistake, name);
      default -> badDelegation(mistake, name);
    };
  }

  private static IllegalArgumentException none(String mistake) {
    return new IllegalArgumentException("mistake: " + mistake);
  }

  private static String badProxy(String mistake, String name) {
    String two = Hosts.good(name, "two");
    return switch (mistake) {
      case "unknown field" -> two.replace("services:", "servces:");
      case "bad value" -> two.replace("port: 80}]", "port: 80}], timeoutPolicy: {response: 5 sec}");
      case "missing reference" -> Hosts.good(name, "nosuch");
      case "conflict" -> two.replace(Hosts.fqdn(name), Hosts.fqdn(rival(name)));
      case "refused" -> Hosts.bad(name, "two");
      default -> throw none(mistake);
    };
  }

  private static String ingress(String name, String host, String service) {
    return Docs.ingress(
        name,
        "",
        """
        rules:
        - host: %s
          http:
            paths:
            - {path: /, pathType: Prefix, backend: {service: {name: %s, port: {number: 80}}}}
        """
            .formatted(Hosts.fqdn(host), service));
  }

  private static String badIngress(String mistake, String name) {
    String two = ingress(name, name, "two");
    return switch (mistake) {
      case "unknown field" -> two.replace("backend:", "backnd:");
      case "bad value" -> two.replace("pathType: Prefix", "pathType: Sufix");
      case "missing reference" -> ingress(name, name, "nosuch");
      case "conflict" -> ingress(name, rival(name), "two");
      case "refused" ->
          two
              + """
                    - path: "%s"
                      pathType: ImplementationSpecific
                      backend: {service: {name: two, port: {number: 80}}}
              """
                  .formatted(TOO_BIG);
      default -> throw none(mistake);
    };
  }

  private static String service(String name, String annotations, String port) {
    return Docs.bareService(name, annotations, "{name: http, " + port + "}");
  }

  private static String badService(String mistake, String name) {
    return switch (mistake) {
      case "unknown field" -> service(name, "", "port: 80").replace("ports:", "prots:");
      case "bad value" -> service(name, "", "port: 80000");
      case "conflict" -> service(name, "", "port: 8080");
      default -> throw none(mistake);
    };
  }

  private static String slice(String name, String address, String backend) {
    return Docs.slice(
        name,
        name,
        "{name: http, port: %d}".formatted(Scene.port(backend)),
        "{addresses: [127.0.0.1]}" + (address.equals("127.0.0.1") ? "" : ", " + of(address)));
  }

  private static String of(String address) {
    return "{addresses: [" + address + "]}";
  }

  private static String badSlice(String mistake, String name) {
    return switch (mistake) {
      case "unknown field" -> slice(name, "127.0.0.1", "two").replace("addresses:", "adresses:");
      // The good addresses of this one are used, so they have to be those that were.
      case "bad value" -> slice(name, "127.0.0.999", "one");
      default -> throw none(mistake);
    };
  }

  private static String badSecret(String mistake, String name) {
    String another = Docs.tlsSecret(name, Scene.CA.issue("second"));
    return switch (mistake) {
      case "unknown field" -> another.replace("stringData:", "stringDta:");
      case "bad value" -> another.replaceAll("(?m)^    [A-Za-z0-9+/=]{5,}$", "    garbage");
      case "conflict" ->
          """
          apiVersion: v1
          kind: Secret
          metadata: {name: %s}
          type: Opaque
          stringData: {password: x}
          """
              .formatted(name);
      case "refused" -> Docs.tlsSecret(name, Scene.CA.issueMustStaple("second"));
      default -> throw none(mistake);
    };
  }

  private static String policy(String name, String target, String rules) {
    return Docs.policy(
        name,
        """
        targetRef: {name: %s}
        perRoute:
        - name: envoy.filters.http.rbac
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute
            rbac: {rules: %s}
        """
            .formatted(target, rules));
  }

  private static String deny(String name) {
    return "{action: DENY, policies: {%s: {permissions: [{any: true}], %s}}}"
        .formatted(name, ANYBODY);
  }

  private static String allow(String permission) {
    return "{action: ALLOW, policies: {all: {permissions: [%s], %s}}}"
        .formatted(permission, ANYBODY);
  }

  private static String badPolicy(String mistake, String name) {
    String open = policy(name, name, allow("{any: true}"));
    return switch (mistake) {
      case "unknown field" -> open.replace("rules:", "ruels:");
      case "bad value" -> open.replace("ALLOW", "ALOW");
      case "missing reference" -> policy(name, "nosuch", allow("{any: true}"));
      case "conflict" -> policy(name, rival(name), allow("{any: true}"));
      case "refused" ->
          policy(
              name,
              name,
              allow(
                  "{any: true}, {url_path: {path: {safe_regex: {regex: \"%s\"}}}}"
                      .formatted(TOO_BIG)));
      default -> throw none(mistake);
    };
  }

  private static String badDelegation(String mistake, String name) {
    String good = Docs.delegation("certs/" + name, name, "default");
    return switch (mistake) {
      case "unknown field" -> good.replace("targetNamespaces:", "targetNamespace:");
      case "bad value" -> good.replace("[\"default\"]", "[]");
      default -> throw none(mistake);
    };
  }
}
