// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.kubernetes.KubeApi;
import dev.holdfast.kubernetes.source.WatchedKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Helm chart makes what the manifests have. With a Helm, {@code
 * -Dtest.args=-Dmanifests.write=true} writes the golden files.
 */
class ChartTest {
  /** What is not of a namespace, or what Helm does in another way. */
  private static final Set<String> NOT_OF_THE_CHART =
      Set.of("Namespace", "CustomResourceDefinition");

  static List<Chart> charts() {
    return Chart.all();
  }

  @ParameterizedTest
  @MethodSource("charts")
  void makesTheGoldenFile(Chart chart) throws IOException {
    String rendered = chart.rendered();
    if (Boolean.getBoolean("manifests.write")) {
      Files.writeString(chart.goldenFile(), rendered);
    }

    assertThat(chart.golden()).isEqualTo(rendered);
  }

  @Test
  void makesTheObjectsOfTheManifestsByDefault() {
    Map<String, JsonObject> manifests = byName(Manifests.read("holdfast.yaml"));
    manifests.values().removeIf(o -> NOT_OF_THE_CHART.contains(o.get("kind").getAsString()));

    assertThat(byName(Chart.DEFAULT.golden())).isEqualTo(manifests);
  }

  @Test
  void hasTheSameDefinition() throws IOException {
    Path copy = Chart.DIRECTORY.resolve("crds/extensionpolicy.yaml");
    if (Boolean.getBoolean("manifests.write")) {
      Files.writeString(copy, Manifests.read("crds/extensionpolicy.yaml"));
    }

    assertThat(Manifests.read(copy)).isEqualTo(Manifests.read("crds/extensionpolicy.yaml"));
  }

  @Test
  void readsSecretsOfSomeNamespacesOnly() {
    List<JsonObject> objects = KubeApi.documents(Chart.NAMESPACES.golden());

    assertThat(objects).noneMatch(o -> o.get("kind").getAsString().startsWith("ClusterRole"));
    assertThat(
            objects.stream()
                .filter(o -> o.get("kind").getAsString().equals("Role"))
                .filter(o -> o.toString().contains("\"secrets\""))
                .map(o -> o.getAsJsonObject("metadata").get("namespace").getAsString()))
        .containsExactlyInAnyOrder("shop", "team-a");
    assertThat(Chart.NAMESPACES.golden())
        .contains("- --namespace=shop\n", "- --namespace=team-a\n");
  }

  @Test
  void grantsEveryKindInEachNamespace() {
    for (JsonObject role : KubeApi.documents(Chart.NAMESPACES.golden())) {
      if (role.toString().contains("\"secrets\"") && role.has("rules")) {
        assertThat(Right.grantedBy(role).toString())
            .contains(WatchedKind.ALL.stream().map(kind -> "list " + kind.plural()).toList());
      }
    }
  }

  private static Map<String, JsonObject> byName(String manifests) {
    return KubeApi.documents(manifests).stream()
        .collect(
            Collectors.toMap(
                o ->
                    o.get("kind").getAsString()
                        + "/"
                        + o.getAsJsonObject("metadata").get("name").getAsString(),
                o -> o,
                (a, b) -> {
                  throw new AssertionError("twice: " + a);
                },
                TreeMap::new));
  }
}
