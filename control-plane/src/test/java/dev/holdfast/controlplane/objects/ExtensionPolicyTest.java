// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.Extension;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.translate.ReferenceCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Envoy configuration of any type, attached to a proxy. */
class ExtensionPolicyTest {
  private static final String HTTP = "type.googleapis.com/envoy.extensions.filters.http.";
  private static final String LUA =
      "{name: lua, typedConfig: {'@type': " + HTTP + "lua.v3.LuaPerRoute, name: script}}";

  /** A policy with this spec, which starts at line 6, column 3. */
  private static String policy(String spec) {
    return """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata:
          name: e
        spec:
        """
        + spec.indent(2);
  }

  @Test
  void configurationIsPackedAsSentToEnvoy() {
    ExtensionPolicy policy =
        YamlObjects.valid(
            ExtensionPolicy.class,
            policy(
                """
                targetRef: {kind: HTTPProxy, name: shop, route: 2}
                perRoute:
                - name: envoy.filters.http.lua
                  typedConfig:
                    "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
                    sourceCode: {inlineString: "function envoy_on_request(h) end"}
                httpFilters:
                - name: own-buffer
                  typedConfig:
                    "@type": type.googleapis.com/envoy.extensions.filters.http.buffer.v3.Buffer
                    max_request_bytes: 1000
                """));

    assertThat(policy.target())
        .isEqualTo(new ExtensionPolicy.Target(new ObjectKey("HTTPProxy", "default", "shop"), 2));
    assertThat(policy.perRoute())
        .extracting(Extension::name)
        .containsExactly("envoy.filters.http.lua");
    assertThat(policy.perRoute().get(0).config().getTypeUrl())
        .isEqualTo(HTTP + "lua.v3.LuaPerRoute");
    assertThat(policy.perRoute().get(0).config().getValue().toStringUtf8())
        .contains("function envoy_on_request(h) end");
    assertThat(policy.httpFilters()).extracting(Extension::name).containsExactly("own-buffer");
  }

  @Test
  void targetsAllRoutesUnlessOneIsNamed() {
    ExtensionPolicy policy =
        YamlObjects.valid(
            ExtensionPolicy.class, policy("targetRef: {name: shop}\nperRoute: [" + LUA + "]"));

    assertThat(policy.target())
        .isEqualTo(new ExtensionPolicy.Target(new ObjectKey("HTTPProxy", "default", "shop"), null));
  }

  @Test
  void invalidTargetIsReported() {
    assertThat(YamlObjects.problems(policy("perRoute: [" + LUA + "]")))
        .containsExactly("6:3: spec.targetRef: missing");
    assertThat(
            YamlObjects.problems(
                policy("targetRef: {kind: Ingress, route: -1}\nperRoute: [" + LUA + "]")))
        .containsExactly(
            "6:14: spec.targetRef.name: missing",
            "6:21: spec.targetRef.kind: \"Ingress\" (expected: HTTPProxy)",
            "6:37: spec.targetRef.route: -1 (expected: a whole number from 0 to 2147483647)");
  }

  @Test
  void emptyPolicyIsReported() {
    assertThat(YamlObjects.problems(policy("targetRef: {name: shop}\nperRoute: []")))
        .containsExactly("6:3: spec: empty policy (expected: perRoute or httpFilters)");
  }

  @Test
  void duplicateFilterNamesAreReported() {
    assertThat(
            YamlObjects.problems(
                policy("targetRef: {name: shop}\nperRoute:\n- " + LUA + "\n- " + LUA)))
        .containsExactly("9:5: spec.perRoute[1]: lua is used twice (expected: each name once)");
  }

  @Test
  void configurationProblemsAreReportedAtTheirPosition() {
    assertThat(
            YamlObjects.problems(
                policy(
                    """
                    targetRef: {name: shop}
                    perRoute:
                    - name: a
                      typedConfig:
                        "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
                        sourceCode: {inlineStrin: x}
                    - name: b
                      typedConfig:
                        "@type": type.googleapis.com/envoy.extensions.filters.http.buffer.v3.BufferPerRoute
                        buffer: {maxRequestBytes: 0}
                    - name: c
                    - name: d
                      typedConfig: 7
                    """)))
        .containsExactly(
            "11:20: spec.perRoute[0].typedConfig.sourceCode.inlineStrin: unknown field (did you mean"
                + " inlineString?)",
            "15:33: spec.perRoute[1].typedConfig.buffer.maxRequestBytes: 0 (expected: more than 0)",
            "16:5: spec.perRoute[2].typedConfig: missing",
            "18:18: spec.perRoute[3].typedConfig: a number (expected: a mapping with @type)");
  }

  @Test
  void onlyHttpFiltersCanBeAdded() {
    assertThat(
            YamlObjects.problems(
                policy(
                    "targetRef: {name: shop}\nhttpFilters:\n- {name: a, typedConfig: {'@type': "
                        + HTTP
                        + "lua.v3.LuaPerRoute, disabled: true}}\n- {name: b, typedConfig: {'@type':"
                        + " type.googleapis.com/envoy.config.core.v3.Pipe, path: /x}}")))
        .containsExactly(
            "8:28: spec.httpFilters[0].typedConfig:"
                + " envoy.extensions.filters.http.lua.v3.LuaPerRoute is not an HTTP filter"
                + " (expected: a type of envoy.extensions.filters.http)",
            "9:28: spec.httpFilters[1].typedConfig: envoy.config.core.v3.Pipe is not an HTTP"
                + " filter (expected: a type of envoy.extensions.filters.http)");
  }

  @Test
  void routerCannotBeAdded() {
    assertThat(
            YamlObjects.problems(
                policy(
                    "targetRef: {name: shop}\nhttpFilters:\n- {name: r, typedConfig: {'@type': "
                        + HTTP
                        + "router.v3.Router}}")))
        .containsExactly(
            "8:28: spec.httpFilters[0].typedConfig: the router filter is added by Holdfast"
                + " (expected: another filter)");
  }

  @Test
  void exampleInTheDocumentationIsValid() throws IOException {
    String page = Files.readString(Path.of("../docs/extension-policy.md"));
    String example = page.substring(page.indexOf("```yaml") + 8);

    assertThat(YamlObjects.problems(example.substring(0, example.indexOf("```")))).isEmpty();
  }

  @Test
  void routeIndexMustExist() {
    String proxy =
        """
        ---
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: shop}
        spec:
          virtualhost: {fqdn: a.com}
          routes: [{directResponsePolicy: {statusCode: 200}}]
        ---
        """;
    String good = policy("targetRef: {name: shop, route: 0}\nperRoute: [" + LUA + "]");
    String bad = policy("targetRef: {name: shop, route: 1}\nperRoute: [" + LUA + "]");

    assertThat(references(proxy + good)).isEmpty();
    assertThat(references(proxy + bad))
        .containsExactly(
            "ExtensionPolicy/default/e: spec.targetRef.route: 1 (expected: less than 1, the routes"
                + " of HTTPProxy/default/shop)");
    assertThat(references(good))
        .containsExactly(
            "ExtensionPolicy/default/e: spec.targetRef.name: HTTPProxy/default/shop does not"
                + " exist");
  }

  private static List<String> references(String yaml) {
    List<String> problems = new ArrayList<>();
    ReferenceCheck.check(YamlObjects.objects(yaml))
        .forEach(
            (key, found) -> found.forEach(problem -> problems.add(key + ": " + problem.problem())));
    return problems;
  }
}
