// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import dev.holdfast.interop.kubernetes.KubeApi;
import dev.holdfast.interop.kubernetes.KubeCluster;
import dev.holdfast.kubernetes.access.AccessException;
import dev.holdfast.kubernetes.access.Kubeconfig;
import dev.holdfast.kubernetes.api.HttpApiServer;
import dev.holdfast.kubernetes.source.WatchedKind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ServiceAccount of the manifests may do what Holdfast does, and nothing else. */
@TestInstance(Lifecycle.PER_CLASS)
class RightsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String MANIFESTS = Manifests.read("holdfast.yaml");
  private static final JsonObject CLUSTER_ROLE = Manifests.only("ClusterRole", MANIFESTS);
  private static final JsonObject ROLE = Manifests.only("Role", MANIFESTS);

  /** One object of each kind that has a status, and something to clean up. */
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: shop}
      ---
      apiVersion: projectcontour.io/v1
      kind: HTTPProxy
      metadata: {name: shop, namespace: shop}
      spec: {virtualhost: {fqdn: shop.example.com}}
      ---
      apiVersion: projectcontour.io/v1
      kind: TLSCertificateDelegation
      metadata: {name: shop, namespace: shop}
      spec: {delegations: [{secretName: shop, targetNamespaces: ["*"]}]}
      ---
      apiVersion: networking.k8s.io/v1
      kind: Ingress
      metadata: {name: shop, namespace: shop}
      spec: {defaultBackend: {service: {name: shop, port: {number: 80}}}}
      ---
      apiVersion: projectcontour.io/v1alpha1
      kind: ExtensionService
      metadata: {name: shop, namespace: shop}
      spec: {services: [{name: shop, port: 80}]}
      ---
      apiVersion: holdfast.dev/v1alpha1
      kind: ExtensionPolicy
      metadata: {name: shop, namespace: shop}
      spec:
        targetRef: {name: shop}
        perRoute:
        - name: envoy.filters.http.lua
          typedConfig: {"@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute, disabled: true}
      """;

  private static final String LEFTOVER =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: holdfast-leftover, namespace: holdfast, labels: {holdfast.dev/state: holdfast}}
      """;

  private @Nullable KubeCluster running;

  @BeforeAll
  void start() {
    running = KubeCluster.start();
    api().apply(cluster().contourCrds());
    api().apply(MANIFESTS);
    api().apply(OBJECTS);
  }

  @AfterAll
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  static Stream<Right> rights() {
    return Stream.of(CLUSTER_ROLE, ROLE).flatMap(role -> Right.grantedBy(role).stream());
  }

  @Test
  void everyKindThatIsReadIsGranted() {
    SortedSet<Right> wanted = new TreeSet<>();
    for (WatchedKind kind : WatchedKind.ALL) {
      int slash = kind.apiVersion().indexOf('/');
      String group = slash < 0 ? "" : kind.apiVersion().substring(0, slash);
      wanted.add(new Right("list", group, kind.plural()));
      wanted.add(new Right("watch", group, kind.plural()));
    }

    assertThat(rights().filter(right -> Set.of("list", "watch").contains(right.verb())))
        .containsAll(wanted);
  }

  @Test
  void holdfastUsesExactlyWhatItMay() throws Exception {
    RecordingApiServer server = holdfast();
    SortedSet<Right> granted = new TreeSet<>(rights().toList());

    try (Rehearsal rehearsal = rehearsal(server)) {
      rehearsal.start();
      await("all rights to be used")
          .dontCatchUncaughtExceptions()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(server.used()).isEqualTo(granted));
    }
    assertThat(server.missed()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rights")
  void holdfastMisses(Right right) throws Exception {
    JsonObject role = Right.grantedBy(ROLE).contains(right) ? ROLE : CLUSTER_ROLE;
    api().tryApply(right.takenFrom(role));
    awaitAllowed(right, false);
    try {
      RecordingApiServer server = holdfast();
      try (Rehearsal rehearsal = rehearsal(server)) {
        rehearsal.start();
        await(right + " to be missed")
            .dontCatchUncaughtExceptions()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(server.missed()).contains(right));
      }
      assertThat(server.missed()).containsExactly(right);
    } finally {
      api().tryApply(role);
      awaitAllowed(right, true);
    }
  }

  @Test
  void nothingElseIsAllowed() {
    for (String verb : List.of("get", "create", "update", "patch", "delete", "deletecollection")) {
      for (String resource : List.of("secrets", "services", "pods", "configmaps")) {
        assertThat(isAllowed(new Right(verb, "", resource), "shop"))
            .as(verb + " " + resource)
            .isFalse();
      }
      assertThat(isAllowed(new Right(verb, "projectcontour.io", "httpproxies"), "shop")).isFalse();
    }
    assertThat(isAllowed(new Right("list", "", "configmaps"), "shop")).isFalse();
  }

  private Rehearsal rehearsal(RecordingApiServer server) {
    api().apply(LEFTOVER);
    return new Rehearsal(server, Set.of());
  }

  /** The API server as the pod sees it. */
  private RecordingApiServer holdfast() throws AccessException {
    // A new Lease and new statuses, so that all of it has to be written again.
    api().delete("/apis/coordination.k8s.io/v1/namespaces/holdfast/leases/holdfast");
    api().delete("/api/v1/namespaces/holdfast/configmaps/holdfast");
    for (String path :
        List.of(
            "/apis/projectcontour.io/v1/namespaces/shop/httpproxies/shop",
            "/apis/projectcontour.io/v1/namespaces/shop/tlscertificatedelegations/shop",
            "/apis/networking.k8s.io/v1/namespaces/shop/ingresses/shop",
            "/apis/projectcontour.io/v1alpha1/namespaces/shop/extensionservices/shop",
            "/apis/holdfast.dev/v1alpha1/namespaces/shop/extensionpolicies/shop")) {
      api().delete(path);
    }
    api().apply(OBJECTS);
    return new RecordingApiServer(
        new HttpApiServer(
            Kubeconfig.read(
                List.of(cluster().kubeconfig(cluster().tokenOf("holdfast", "holdfast"))), null)));
  }

  private void awaitAllowed(Right right, boolean expected) {
    await(right + ": " + expected)
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> isAllowed(right, "holdfast") == expected);
  }

  private boolean isAllowed(Right right, String namespace) {
    return api()
        .post(
            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
            right.review("system:serviceaccount:holdfast:holdfast", namespace))
        .json()
        .getAsJsonObject("status")
        .get("allowed")
        .getAsBoolean();
  }

  private KubeCluster cluster() {
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running;
  }

  private KubeApi api() {
    return cluster().admin();
  }
}
