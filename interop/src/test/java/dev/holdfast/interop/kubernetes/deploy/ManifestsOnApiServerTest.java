// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.kubernetes.KubeAnswer;
import dev.holdfast.interop.kubernetes.KubeApi;
import dev.holdfast.interop.kubernetes.KubeCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real API server takes the manifests, strictly and without a warning. */
@TestInstance(Lifecycle.PER_CLASS)
class ManifestsOnApiServerTest {
  private @Nullable KubeCluster running;

  @BeforeAll
  void start() {
    running = KubeCluster.start();
    assertThat(api().applyAndListWarnings(Manifests.read("holdfast.yaml"))).isEmpty();
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

  @Test
  void allOfItIsThereAndIsTheSameWhenItIsAppliedAgain() {
    for (JsonObject object : KubeApi.documents(Manifests.read("holdfast.yaml"))) {
      String path = api().path(object);
      assertThat(api().get(path).isOk()).as(path).isTrue();
      String version = version(api().tryApply(object));

      assertThat(version(api().tryApply(object))).as(path).isEqualTo(version);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "examples/envoy-daemonset.yaml",
        "examples/envoy-deployment.yaml",
        "examples/envoy-scout.yaml"
      })
  void takesTheExamples(String file) {
    assertThat(api().applyAndListWarnings(Manifests.read(file))).isEmpty();
  }

  @Test
  void podsOfHoldfastAreAllowedInANamespaceForRestrictedPods() {
    JsonObject deployment = Manifests.only("Deployment", Manifests.read("holdfast.yaml"));

    assertThat(tryPod("holdfast", podOf(deployment)).status()).isEqualTo(201);
  }

  @Test
  void aPodThatAsksForMoreIsNot() {
    JsonObject pod =
        podOf(Manifests.only("DaemonSet", Manifests.read("examples/envoy-daemonset.yaml")));

    assertThat(tryPod("holdfast", pod).body()).contains("violates PodSecurity", "hostPort");
  }

  @Test
  void proxiesMayConnectAndNobodyElse() {
    JsonObject policy = Manifests.only("NetworkPolicy", Manifests.read("holdfast.yaml"));
    JsonObject xds =
        policy.getAsJsonObject("spec").getAsJsonArray("ingress").get(0).getAsJsonObject();
    JsonObject from = xds.getAsJsonArray("from").get(0).getAsJsonObject();

    for (String file :
        List.of(
            "examples/envoy-daemonset.yaml",
            "examples/envoy-deployment.yaml",
            "examples/envoy-scout.yaml")) {
      String text = Manifests.read(file);
      String kind = file.contains("daemonset") ? "DaemonSet" : "Deployment";
      assertThat(labels(podOf(Manifests.only(kind, text))))
          .containsAll(matchLabels(from, "podSelector").entrySet());
      assertThat(labels(Manifests.only("Namespace", text)))
          .containsAll(matchLabels(from, "namespaceSelector").entrySet());
    }
  }

  private KubeAnswer tryPod(String namespace, JsonObject pod) {
    return api()
        .post(
            "/api/v1/namespaces/" + namespace + "/pods?dryRun=All&fieldValidation=Strict",
            pod.toString());
  }

  private static JsonObject podOf(JsonObject workload) {
    JsonObject pod = workload.getAsJsonObject("spec").getAsJsonObject("template").deepCopy();
    pod.addProperty("apiVersion", "v1");
    pod.addProperty("kind", "Pod");
    pod.getAsJsonObject("metadata").addProperty("name", "try");
    return pod;
  }

  private static Set<Map.Entry<String, JsonElement>> labels(JsonObject object) {
    return object.getAsJsonObject("metadata").getAsJsonObject("labels").entrySet();
  }

  private static JsonObject matchLabels(JsonObject peer, String selector) {
    return peer.getAsJsonObject(selector).getAsJsonObject("matchLabels");
  }

  private static String version(KubeAnswer answer) {
    return answer.json().getAsJsonObject("metadata").get("resourceVersion").getAsString();
  }
}
