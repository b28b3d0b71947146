// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The API server that other tests use. */
@TestInstance(Lifecycle.PER_CLASS)
class KubeClusterTest {
  @SuppressWarnings("NullAway.Init")
  private KubeCluster cluster;

  @BeforeAll
  void start() {
    cluster = KubeCluster.start();
  }

  @AfterAll
  @SuppressWarnings("NullAway")
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void isThePinnedVersion() {
    assertThat(cluster.admin().get("/version").json().get("gitVersion").getAsString())
        .isEqualTo("v1.36.3");
  }

  @Test
  void whatWasAppliedSurvivesTheDeathOfBothProcesses() {
    cluster.admin().apply(service("survivor"));

    cluster.killApiServer();
    Assertions.assertThatThrownBy(() -> cluster.admin().get("/version"))
        .isInstanceOf(UncheckedIOException.class);
    cluster.killEtcd();
    cluster.startEtcd();
    cluster.startApiServer();

    assertThat(cluster.admin().get("/api/v1/namespaces/default/services/survivor").isOk()).isTrue();
  }

  @Test
  void servesTheKindsOfContour() {
    cluster.admin().apply(cluster.contourCrds());

    cluster
        .admin()
        .apply(
            """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: shop}
            spec: {virtualhost: {fqdn: shop.example.com}}
            """);
    assertThat(
            cluster
                .admin()
                .await("/apis/projectcontour.io/v1/namespaces/default/httpproxies/shop")
                .isOk())
        .isTrue();
  }

  @Test
  void anUnknownFieldIsRefused() {
    KubeAnswer answer = cluster.admin().tryApply(service("typo").replace("ports:", "portz:"));

    assertThat(answer.status()).isBetween(400, 500);
    assertThat(answer.body()).contains("portz");
  }

  @Test
  void aServiceAccountMayDoNothingOfItself() {
    cluster.admin().apply("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: nobody}\n");
    KubeApi nobody = cluster.admin().as(cluster.tokenOf("default", "nobody"));

    assertThat(nobody.get("/api/v1/services").status()).isEqualTo(403);
    assertThat(nobody.get("/version").isOk()).isTrue();
  }

  private static String service(String name) {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: %s}
        spec: {ports: [{port: 80}]}
        """
        .formatted(name);
  }
}
