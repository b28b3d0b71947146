// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.NamePattern;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.YamlReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What authors must not write is found with its place, and nothing else is. */
class AuthorCheckTest {
  private static final String LUA =
      """
      apiVersion: holdfast.dev/v1alpha1
      kind: ExtensionPolicy
      metadata: {name: p, namespace: shop}
      spec:
        targetRef: {name: web}
        perRoute:
        - name: envoy.filters.http.lua
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
            sourceCode: {filename: /etc/passwd}
      """;

  private static List<String> check(AuthorPolicy policy, String yaml) {
    Documents documents = YamlReader.read("f", yaml.getBytes(StandardCharsets.UTF_8));
    ConfigObject object = ObjectReader.read(documents.documents().get(0)).objects().get(0);
    return AuthorCheck.check(policy, object).stream()
        .map(problem -> problem.toString().split("[(]", 2)[0].strip())
        .toList();
  }

  private static List<NamePattern> patterns(String... texts) {
    return Stream.of(texts).map(NamePattern::new).toList();
  }

  private static AuthorPolicy with(ExtensionRules extensions) {
    return new AuthorPolicy(List.of(), List.of(), extensions, HeaderRules.ALL);
  }

  private static AuthorPolicy with(Set<Capability> reach) {
    return with(new ExtensionRules(List.of(), reach, List.of(), List.of()));
  }

  @Test
  void codeAndSourcesAreAllowedOneByOne() {
    assertThat(check(AuthorPolicy.NONE, LUA)).isEmpty();
    assertThat(check(AuthorPolicy.SAFE, LUA))
        .containsExactly(
            "f:9:7: spec.perRoute[0].typedConfig: Lua code",
            "f:10:30: spec.perRoute[0].typedConfig.sourceCode.filename: a file of the proxy");
    assertThat(check(with(EnumSet.of(Capability.LUA)), LUA)).hasSize(1);
    assertThat(check(with(EnumSet.of(Capability.FILE)), LUA)).hasSize(1);
    assertThat(check(with(EnumSet.of(Capability.FILE, Capability.LUA)), LUA)).isEmpty();
  }

  @Test
  void namespacesAndTypesAreAllowedByPattern() {
    Set<Capability> all = EnumSet.allOf(Capability.class);
    assertThat(check(with(new ExtensionRules(patterns("edge"), all, List.of(), List.of())), LUA))
        .containsExactly(
            "f:1:1: metadata.namespace: shop, where the server does not allow ExtensionPolicies");
    assertThat(check(with(new ExtensionRules(patterns("sh*"), all, List.of(), List.of())), LUA))
        .isEmpty();
    for (ExtensionRules rules :
        List.of(
            new ExtensionRules(List.of(), all, patterns("*.cors.v3.*"), List.of()),
            new ExtensionRules(List.of(), all, List.of(), patterns("*.lua.v3.*")))) {
      assertThat(check(with(rules), LUA))
          .containsExactly(
              "f:9:16: spec.perRoute[0].typedConfig.@type:"
                  + " envoy.extensions.filters.http.lua.v3.LuaPerRoute, which the server does not"
                  + " allow");
    }
  }

  @Test
  void headersOfTheConnectionAreNotForAuthors() {
    String proxy =
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: web}
        spec:
          virtualhost:
            fqdn: a.example
            rateLimitPolicy: {local: {requests: 1, unit: second, responseHeadersToAdd: [{name: Connection, value: x}]}}
          routes:
          - requestHeadersPolicy:
              set: [{name: Host, value: b.example}, {name: Content-Length, value: "0"}]
              remove: [x-fine, transfer-encoding]
            services:
            - name: s
              port: 80
              responseHeadersPolicy: {set: [{name: x-fine, value: y}, {name: TE, value: z}]}
        """;
    assertThat(check(AuthorPolicy.NONE, proxy)).isEmpty();
    assertThat(check(AuthorPolicy.SAFE, proxy))
        .extracting(problem -> problem.split(", which", -1)[0])
        .containsExactly(
            "f:7:88: spec.virtualhost.rateLimitPolicy.local.responseHeadersToAdd[0].name:"
                + " \"Connection\"",
            "f:10:52: spec.routes[0].requestHeadersPolicy.set[1].name: \"Content-Length\"",
            "f:11:24: spec.routes[0].requestHeadersPolicy.remove[1]: \"transfer-encoding\"",
            "f:15:70: spec.routes[0].services[0].responseHeadersPolicy.set[1].name: \"TE\"");
  }

  @Test
  void aPolicyMustNotRewriteTheRequestLineWithHeaders() {
    String mutation =
        """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: p}
        spec:
          targetRef: {name: web}
          httpFilters:
          - name: m
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation
              mutations:
                requestMutations:
                - append: {header: {key: ":authority", value: other}}
                - append: {header: {key: x-fine, value: y}}
                - remove: Upgrade
        """;
    assertThat(check(AuthorPolicy.SAFE, mutation))
        .extracting(problem -> problem.split(", which", -1)[0])
        .containsExactly(
            "f:12:34: spec.httpFilters[0].typedConfig.mutations.requestMutations[0].append.header"
                + ".key: \":authority\"",
            "f:14:19: spec.httpFilters[0].typedConfig.mutations.requestMutations[2].remove:"
                + " \"upgrade\"");
  }

  @Test
  void hostsBelongToNamespaces() {
    AuthorPolicy policy =
        new AuthorPolicy(
            List.of(),
            List.of(
                new HostRule(patterns("shop.example", "*.shop.example"), patterns("shop")),
                new HostRule(patterns("*.teams.example"), patterns("{1}"))),
            ExtensionRules.ALL,
            HeaderRules.ALL);
    assertThat(check(policy, proxy("shop", "shop.example"))).isEmpty();
    assertThat(check(policy, proxy("shop", "*.shop.example"))).isEmpty();
    assertThat(check(policy, proxy("a", "a.teams.example"))).isEmpty();
    assertThat(check(policy, proxy("a", "b.teams.example")))
        .containsExactly(
            "f:4:28: spec.virtualhost.fqdn: b.teams.example, which the server does not allow in"
                + " namespace a");
    assertThat(check(policy, proxy("a", "x.shop.example"))).hasSize(1);
    assertThat(check(policy, proxy("a", "elsewhere.example")))
        .containsExactly(
            "f:4:28: spec.virtualhost.fqdn: elsewhere.example, which the server allows in no"
                + " namespace");
    assertThat(
            check(
                policy,
                """
                apiVersion: networking.k8s.io/v1
                kind: Ingress
                metadata: {name: i, namespace: a}
                spec:
                  defaultBackend: {service: {name: s, port: {number: 80}}}
                  rules:
                  - host: a.teams.example
                  - host: shop.example
                  - {}
                """))
        .extracting(problem -> problem.split(",", -1)[0])
        .containsExactly(
            "f:8:11: spec.rules[1].host: shop.example",
            "f:9:5: spec.rules[2].host: *",
            "f:5:19: spec.defaultBackend: *");
  }

  private static String proxy(String namespace, String host) {
    return """
    apiVersion: projectcontour.io/v1
    kind: HTTPProxy
    metadata: {name: web, namespace: %s}
    spec: {virtualhost: {fqdn: %s}, routes: [{services: [{name: s, port: 80}]}]}
    """
        .formatted(namespace, host.startsWith("*") ? "'" + host + "'" : host);
  }

  @Test
  void directoriesBelongToNamespaces() {
    List<DirectoryRule> rules =
        List.of(
            new DirectoryRule(new NamePattern("teams/team-*"), patterns("{1}", "{1}-*")),
            new DirectoryRule(new NamePattern("platform"), patterns("*")));
    assertThat(problem(rules, "teams/team-a/x.yaml", "a")).isEmpty();
    assertThat(problem(rules, "teams/team-a/deep/x.yaml", "a-test")).isEmpty();
    assertThat(problem(rules, "platform/x.yaml", "anything")).isEmpty();
    assertThat(problem(rules, "teams/team-a/x.yaml", "b"))
        .isEqualTo(
            "namespace b, which the server does not allow in this directory (expected: namespace a"
                + " or a-*)");
    assertThat(problem(rules, "teams/team-b/../team-a/x.yaml", "b")).isEmpty();
    assertThat(problem(rules, "teams/team-a.yaml", "a"))
        .isEqualTo(
            "in a directory for which the server allows no namespace (expected: one of"
                + " teams/team-*, platform)");
    assertThat(problem(List.of(), "anywhere.yaml", "b")).isEmpty();
    assertThat(
            problem(
                List.of(new DirectoryRule(new NamePattern("."), patterns("*"))),
                "anywhere.yaml",
                "b"))
        .isEmpty();
  }

  private static String problem(List<DirectoryRule> rules, String file, String namespace) {
    String problem = DirectoryRule.problem(rules, Path.of(file), namespace);
    return problem == null ? "" : problem;
  }
}
