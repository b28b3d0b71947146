// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import org.junit.jupiter.api.Test;

/** A cluster without its API server, or without its etcd, is served as it was. */
class ClusterOutageTest {
  @Test
  void anApiServerAndAnEtcdThatAreKilledChangeNothingForTraffic() {
    try (TrafficScene scene = TrafficScene.start()) {
      KubePlane plane = scene.plane();
      plane.apply(KubePlane.proxyTo("outage", "one"));
      plane.awaitProgrammed("outage", 1);

      plane.cluster().killApiServer();
      Plane.await(
          "stale objects are a problem",
          () -> plane.adminText("/api/v1/problems").contains("not up to date since"));
      assertThat(scene.backendOf("outage")).isEqualTo("one");
      plane.cluster().startApiServer();
      plane.apply(KubePlane.proxyTo("outage", "two"));
      scene.awaitBackend("outage", "two");
      plane.awaitProgrammed("outage", 2);
      Plane.await(
          "the problem is over",
          () -> !plane.adminText("/api/v1/problems").contains("not up to date since"));

      plane.cluster().killEtcd();
      plane.cluster().startEtcd();
      Plane.await(
          "an edit is taken",
          () -> plane.cluster().admin().tryApply(KubePlane.proxyTo("outage", "one")).isOk());
      scene.awaitBackend("outage", "one");
      plane.awaitProgrammed("outage", 3);
      scene.assertNoRequestFailed();
    }
  }
}
