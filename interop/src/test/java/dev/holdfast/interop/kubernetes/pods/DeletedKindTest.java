// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import dev.holdfast.interop.serve.Plane;
import org.junit.jupiter.api.Test;

/** Whoever deletes a CustomResourceDefinition deletes all of its objects, one by one. */
class DeletedKindTest {
  private static final String CRD =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/httpproxies.projectcontour.io";

  @Test
  void theHostsAreServedUntilSomebodyConfirmsThatTheyAreToGo() {
    try (TrafficScene scene = TrafficScene.start()) {
      KubePlane plane = scene.plane();
      plane.cluster().admin().delete(CRD).orFail("delete");
      Plane.await(
          "deletions wait",
          () -> plane.adminItems("/api/v1/deletions").size() == TrafficScene.HOSTS);
      scene.awaitMoreRequests(100);
      // A kind that is being deleted can be applied, and is gone nevertheless a moment later.
      Plane.await("the kind is gone", () -> plane.cluster().admin().get(CRD).status() == 404);

      plane.apply(plane.cluster().contourCrds());
      for (int i = 0; i < TrafficScene.HOSTS; i++) {
        plane.apply(KubePlane.proxyTo(TrafficScene.steady(i), "one"));
      }
      Plane.await("none waits", () -> plane.adminItems("/api/v1/deletions").isEmpty());
      for (int i = 0; i < TrafficScene.HOSTS; i++) {
        plane.awaitProgrammed(TrafficScene.steady(i), 1);
      }
      scene.assertNoRequestFailed();
    }
  }
}
