// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.kubernetes.KubeAnswer;
import dev.holdfast.interop.kubernetes.KubeApi;
import dev.holdfast.interop.kubernetes.KubeCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an API server with our CustomResourceDefinition takes and refuses. */
@TestInstance(Lifecycle.PER_CLASS)
class ExtensionPolicyCrdTest {
  private static final Path ROOT = TestSources.repositoryRoot();
  private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");
  private static final String POLICIES =
      "/apis/holdfast.dev/v1alpha1/namespaces/default/extensionpolicies";

  private static final String GOOD =
      """
      apiVersion: holdfast.dev/v1alpha1
      kind: ExtensionPolicy
      metadata: {name: good}
      spec:
        targetRef: {name: shop, route: 0}
        perRoute:
        - name: envoy.filters.http.lua
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
            source_code: {inline_string: "function envoy_on_request(handle) end"}
      """;

  private @Nullable KubeCluster running;

  @BeforeAll
  void start() {
    running = KubeCluster.start();
    assertThat(api().applyAndListWarnings(Manifests.read("crds/extensionpolicy.yaml"))).isEmpty();
  }

  @AfterAll
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  private KubeApi api() {
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running.admin();
  }

  /** The policies of the documentation. */
  static Stream<String> documented() {
    return Stream.of("docs/extension-policy.md", "docs/reference/extensionpolicy.md")
        .flatMap(page -> YAML.matcher(Manifests.read(ROOT.resolve(page))).results())
        .map((MatchResult block) -> block.group(1))
        .filter(block -> block.contains("kind: ExtensionPolicy"));
  }

  @ParameterizedTest
  @MethodSource("documented")
  void takesThePoliciesOfTheDocumentation(String policy) {
    assertThat(api().tryApply(policy.replaceAll("namespace: \\w+", "namespace: default")).isOk())
        .isTrue();
  }

  @Test
  void keepsEveryFieldOfAMessageOfEnvoy() {
    api().apply(GOOD);

    assertThat(api().get(POLICIES + "/good").body())
        .contains("\"source_code\":{\"inline_string\":\"function envoy_on_request(handle) end\"}")
        .contains("\"kind\":\"HTTPProxy\"");
  }

  /** An edit of the good policy, and what the server says to it. */
  static Stream<Map.Entry<String, String>> mistakes() {
    Map<String, String> mistakes = new TreeMap<>();
    mistakes.put("s/  targetRef: .*\n//", "spec.targetRef: Required value");
    mistakes.put("s/name: shop, //", "spec.targetRef.name: Required value");
    mistakes.put("s/name: shop/name: Shop!/", "spec.targetRef.name: Invalid value");
    mistakes.put(
        "s/name: shop/kind: Service, name: shop/", "spec.targetRef.kind: Unsupported value");
    mistakes.put("s/route: 0/route: -1/", "spec.targetRef.route: Invalid value");
    mistakes.put("s/route: 0/route: first/", "spec.targetRef.route");
    mistakes.put("s/route: 0/routes: 0/", "spec.targetRef.routes");
    mistakes.put("s/perRoute/perroute/", "spec.perroute");
    mistakes.put("s/\"@type\": .*/type: x/", "spec.perRoute[0].typedConfig.@type: Required value");
    mistakes.put(
        "s/type.googleapis.com/example.com/", "spec.perRoute[0].typedConfig.@type: Invalid");
    mistakes.put(
        "s/name: envoy.filters.http.lua/name: \"\"/", "spec.perRoute[0].name: Invalid value");
    return mistakes.entrySet().stream();
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refuses(Map.Entry<String, String> mistake) {
    String[] edit = mistake.getKey().split("/", -1);
    String policy = GOOD.replaceFirst(edit[1], edit[2]);
    assertThat(policy).isNotEqualTo(GOOD);

    KubeAnswer answer = api().tryApply(policy.replace("name: good", "name: bad"));

    assertThat(answer.status()).as(answer.body()).isBetween(400, 500);
    assertThat(answer.json().get("message").getAsString()).contains(mistake.getValue());
    assertThat(api().get(POLICIES + "/bad").status()).isEqualTo(404);
  }

  @Test
  void refusesAPolicyWithoutContent() {
    String empty = GOOD.replaceFirst("(?s)  perRoute:.*", "  perRoute: []\n  httpFilters: []\n");

    assertThat(api().tryApply(empty.replace("name: good", "name: empty")).body())
        .contains("empty policy (expected: perRoute or httpFilters)");
  }

  @Test
  void refusesANameTwice() {
    String twice = GOOD + GOOD.replaceFirst("(?s).*perRoute:\n", "");

    assertThat(api().tryApply(twice.replace("name: good", "name: twice")).isOk()).isFalse();
    assertThat(api().post(POLICIES, KubeApi.documents(twice).get(0).toString()).body())
        .contains("Duplicate value");
  }

  @Test
  void anEditDoesNotTouchTheStatusAndAStatusNotTheGeneration() {
    api().apply(GOOD.replace("name: good", "name: status"));
    KubeAnswer written = condition("status", "Valid", "True", "Valid", "alice");
    assertThat(written.isOk()).as(written.body()).isTrue();
    assertThat(condition("status", "Programmed", "False", "Rejected", "bob").isOk()).isTrue();

    api().apply(GOOD.replace("name: good", "name: status").replace("route: 0", "route: 1"));

    String object = api().get(POLICIES + "/status").body();
    assertThat(object).contains("\"generation\":2");
    assertThat(object).contains("\"type\":\"Valid\"", "\"type\":\"Programmed\"");
  }

  @Test
  void refusesAStatusThatKubernetesWouldNotTake() {
    api().apply(GOOD.replace("name: good", "name: odd"));

    assertThat(condition("odd", "Valid", "Perhaps", "Valid", "alice").isOk()).isFalse();
    assertThat(condition("odd", "Valid", "True", "two words", "alice").isOk()).isFalse();
  }

  @Test
  void theTableTellsWhatIsServed() {
    api().apply(GOOD.replace("name: good", "name: shown"));
    condition("shown", "Valid", "True", "Valid", "alice");
    condition("shown", "Programmed", "False", "Rejected", "bob");

    List<List<String>> table = api().table(POLICIES);

    assertThat(table.get(0))
        .containsExactly("Name", "Target", "Valid", "Programmed", "Reason", "Age");
    assertThat(table)
        .anySatisfy(
            row ->
                assertThat(row.subList(0, 5))
                    .containsExactly("shown", "shop", "True", "False", "Rejected"));
  }

  @Test
  void hasAShortName() {
    assertThat(api().get("/apis/holdfast.dev/v1alpha1").body())
        .contains("\"shortNames\":[\"extpol\"]");
  }

  private KubeAnswer condition(
      String policy, String type, String status, String reason, String manager) {
    return api()
        .patch(
            POLICIES + "/" + policy + "/status?force=true&fieldManager=" + manager,
            "application/apply-patch+yaml",
            """
            {"apiVersion": "holdfast.dev/v1alpha1", "kind": "ExtensionPolicy", "metadata": {"name": "%s"},
            "status": {"conditions": [{"type": "%s", "status": "%s", "reason": "%s", "message": "",
            "observedGeneration": 1, "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
            """
                .formatted(policy, type, status, reason));
  }
}
