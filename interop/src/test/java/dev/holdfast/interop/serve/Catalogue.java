// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import dev.holdfast.testkit.TestCa;
import java.util.List;

/**
 * Configuration that proxies are known to refuse, as somebody would write it in our objects. First
 * what Envoy itself lists, then what Contour lets through, then what the type of an extension can
 * do.
 */
final class Catalogue {
  private static final TestCa CA = TestCa.create("authority");
  private static final String HTTP_FILTER = "type.googleapis.com/envoy.extensions.filters.http.";

  private Catalogue() {}

  /** What becomes of an entry. */
  enum End {
    /** {@code Valid=False}: it never gets to a proxy. */
    NOT_VALID,
    /** {@code Programmed=False}: a proxy refuses it. */
    REJECTED,
    /** It means something that proxies take. */
    SERVED,
    /** There is no way to write it. */
    CANNOT_BE_WRITTEN
  }

  /**
   * @param name what is wrong
   * @param end what becomes of it
   * @param key the object whose author is told
   * @param says a part of what the author is told; of an entry that cannot be written, why
   * @param yaml what is written
   */
  record Entry(String name, End end, String key, String says, String yaml) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Entry cannot(String name, String why) {
    return new Entry(name, End.CANNOT_BE_WRITTEN, "", why, "");
  }

  private static Entry route(String name, End end, String says, String route) {
    return proxy(name, end, says, "routes: [{" + route + "}]");
  }

  private static Entry proxy(String name, End end, String says, String spec) {
    return new Entry(
        name, end, "HTTPProxy/default/bad", says, Yaml.root("bad", "bad.example", spec));
  }

  private static Entry policy(String name, End end, String says, String spec) {
    return new Entry(
        name, end, "ExtensionPolicy/default/bad", says, Lua.policy("bad", "name: good", spec));
  }

  private static Entry secret(String name, String says, String yaml) {
    return new Entry(name, End.NOT_VALID, "Secret/default/bad", says, yaml);
  }

  private static final String TO_ONE = "services: [{name: one, port: 80}]";

  static final List<Entry> ENVOY =
      List.of(
          policy(
              "1 Lua that does not parse",
              End.REJECTED,
              "script load error",
              "perRoute: [" + Lua.perRoute(Lua.BROKEN) + "]"),
          route(
              "2 a regular expression that does not parse",
              End.NOT_VALID,
              "RE2",
              "conditions: [{regex: /(abc}], " + TO_ONE),
          route(
              "3 a regular expression that is too big",
              End.REJECTED,
              "RE2 program size of",
              "conditions: [{regex: \"/([a-z]{50}x){4}\"}], " + TO_ONE),
          new Entry(
              "4 one domain twice",
              End.NOT_VALID,
              "HTTPProxy/default/twin",
              "is also used by HTTPProxy/default/bad",
              Docs.of(
                  Yaml.root("bad", "bad.example", "routes: [{" + TO_ONE + "}]"),
                  Yaml.root("twin", "bad.example", "routes: [{" + TO_ONE + "}]"))),
          route(
              "7 weights that are all 0",
              End.SERVED,
              "which means that all get the same",
              "services: [{name: one, port: 80, weight: 0}, {name: two, port: 80, weight: 0}]"),
          route(
              "14 a timeout that is negative",
              End.NOT_VALID,
              "spec.routes[0].timeoutPolicy.response",
              "timeoutPolicy: {response: -1s}, " + TO_ONE),
          new Entry(
              "29, 65 an endpoint whose address is a name",
              End.NOT_VALID,
              "EndpointSlice/default/bad",
              "foo.example.com",
              Docs.slice("bad", "one", "{name: http, port: 1}", "{addresses: [foo.example.com]}")),
          cannot("31 a maglev table that is no prime", "no object chooses maglev"),
          policy(
              "44 a filter that no API has",
              End.NOT_VALID,
              "spec.httpFilters[0].typedConfig",
              "httpFilters: [{name: x, typedConfig: {\"@type\": "
                  + HTTP_FILTER
                  + "none.v3.None}}]"),
          cannot("45 two listeners of one address", "addresses are options of the server"),
          cannot("46 an address that is not local", "addresses are options of the server"),
          secret(
              "68 a certificate that is none",
              "no PEM",
              """
              apiVersion: v1
              kind: Secret
              metadata: {name: bad}
              type: kubernetes.io/tls
              stringData: {tls.crt: garbage, tls.key: garbage}
              """));

  static final List<Entry> CONTOUR =
      List.of(
          route(
              "1 a body that is too long",
              End.NOT_VALID,
              "4096",
              "directResponsePolicy: {statusCode: 200, body: \"" + "x".repeat(4097) + "\"}"),
          route(
              "2 removal of the Host header",
              End.NOT_VALID,
              "requestHeadersPolicy",
              "requestHeadersPolicy: {remove: [Host]}, " + TO_ONE),
          new Entry(
              "3 a prefix with signs of a regular expression, before one",
              End.SERVED,
              "HTTPProxy/default/bad",
              "the prefix is quoted",
              Docs.of(
                  Yaml.root(
                      "bad",
                      "bad.example",
                      "includes: [{name: child, conditions: [{prefix: \"/a(\"}]}]"),
                  Docs.proxy(
                      "child", "routes: [{conditions: [{regex: \"/b.*\"}], " + TO_ONE + "}]"))),
          route(
              "4 a global rate limit with a regular expression that does not parse",
              End.NOT_VALID,
              "RE2",
              """
              rateLimitPolicy: {global: {descriptors: [{entries: [{requestHeaderValueMatch:
                {value: a, headers: [{name: a, regex: "("}]}}]}]}}, \
              """
                  + TO_ONE),
          route(
              "5 statuses that end before they start",
              End.NOT_VALID,
              "more than start",
              "healthCheckPolicy: {path: /, expectedStatuses: [{start: 300, end: 200}]}, "
                  + TO_ONE),
          route(
              "6 a health check without a path, of negative times",
              End.NOT_VALID,
              "healthCheckPolicy",
              "healthCheckPolicy: {path: \"\", intervalSeconds: -1}, " + TO_ONE),
          secret(
              "7 an authority that is not X.509",
              "ca.crt",
              """
              apiVersion: v1
              kind: Secret
              metadata: {name: bad}
              stringData:
                ca.crt: |
                  -----BEGIN CERTIFICATE-----
                  Z2FyYmFnZQ==
                  -----END CERTIFICATE-----
              """),
          secret(
              "8 a key that is not that of the certificate",
              "not the key of the certificate",
              Docs.tlsSecret(
                  "bad",
                  new TestCa.Identity(
                      CA.issue("a").certificatePem(), CA.issue("b").privateKeyPem()))),
          route(
              "9 a rate limit that overflows",
              End.NOT_VALID,
              "rateLimitPolicy",
              "rateLimitPolicy: {local: {requests: 4294967295, unit: second, burst: 1}}, "
                  + TO_ONE),
          route(
              "10 weights that overflow",
              End.NOT_VALID,
              "weights add up to",
              """
              services: [{name: one, port: 80, weight: 4294967295},
                {name: two, port: 80, weight: 1}]\
              """),
          new Entry(
              "11 an Ingress path with a question mark",
              End.NOT_VALID,
              "Ingress/default/bad",
              "/a?b",
              Docs.ingress(
                  "bad",
                  "",
                  "rules: ["
                      + IngressTest.rule("bad.example", IngressTest.path("Prefix", "/a?b", "one"))
                      + "]")),
          route(
              "12 a header value with control characters",
              End.NOT_VALID,
              "requestHeadersPolicy",
              "requestHeadersPolicy: {set: [{name: a, value: \"b\\u0007c\"}]}, " + TO_ONE));

  static final List<Entry> EXTENSIONS =
      List.of(
          policy(
              "a filter whose Lua does not parse",
              End.REJECTED,
              "script load error",
              "httpFilters: [" + Lua.filter(Lua.BROKEN) + "]"),
          policy(
              "a field that the type does not have",
              End.NOT_VALID,
              "nonsense",
              "httpFilters: [{name: x, typedConfig: {\"@type\": "
                  + HTTP_FILTER
                  + "lua.v3.Lua, nonsense: 1}}]"),
          policy(
              "a value that the type's own rules forbid",
              End.NOT_VALID,
              "max_request_bytes",
              "httpFilters: [{name: x, typedConfig: {\"@type\": "
                  + HTTP_FILTER
                  + "buffer.v3.Buffer, max_request_bytes: 0}}]"),
          policy(
              "a type that is no filter",
              End.NOT_VALID,
              "is not an HTTP filter",
              """
              httpFilters: [{name: x, typedConfig: {
                "@type": type.googleapis.com/envoy.config.core.v3.Address,
                pipe: {path: /x}}}]\
              """),
          policy(
              "a filter that this Envoy was built without",
              End.REJECTED,
              "no factory found",
              "httpFilters: [{name: x, typedConfig: {\"@type\": "
                  + HTTP_FILTER
                  + "gzip.v3.Gzip}}]"),
          policy(
              "a filter's configuration where that of a route belongs",
              End.REJECTED,
              "",
              """
              perRoute: [{name: envoy.filters.http.rbac, typedConfig: {
                "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}]\
              """),
          policy(
              "a regular expression inside of an extension",
              End.REJECTED,
              "missing )",
              """
              perRoute:
              - name: envoy.filters.http.rbac
                typedConfig:
                  "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute
                  rbac: {rules: {action: DENY, policies: {all: {
                    permissions: [{url_path: {path: {safe_regex: {regex: "(abc"}}}}],
                    principals: [{any: true}]}}}}\
              """));
}
