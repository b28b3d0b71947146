// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Objects in a cluster, from the edit to the answer of a real Envoy and to the status in the
 * cluster. Requests go on all the time, and none fails.
 */
class ClusterTrafficTest {
  private static final String PROXIES =
      "/apis/projectcontour.io/v1/namespaces/default/httpproxies/";

  private static TrafficScene scene;
  private static KubePlane plane;

  @BeforeAll
  static void start() {
    scene = TrafficScene.start();
    plane = scene.plane();
  }

  @AfterAll
  static void stop() {
    if (scene != null) { // it is null where the suite is skipped
      scene.close();
    }
  }

  @AfterEach
  void noRequestFailed() {
    scene.assertNoRequestFailed();
  }

  @Test
  void anEditReachesEnvoyAndItsStatusTheAuthor() {
    plane.apply(KubePlane.proxyTo("edited", "one"));
    scene.awaitBackend("edited", "one");
    plane.awaitProgrammed("edited", 1);
    assertThat(plane.proxyStatus("edited").get("currentStatus").getAsString()).isEqualTo("valid");

    plane.apply(KubePlane.proxyTo("edited", "two"));
    scene.awaitBackend("edited", "two");
    plane.awaitProgrammed("edited", 2);
    assertThat(plane.condition("edited", "Valid").get("status").getAsString()).isEqualTo("True");
  }

  @Test
  void anEditThatIsNotValidIsHeldAndTheClusterSaysSo() {
    plane.apply(KubePlane.proxyTo("invalid", "one"));
    plane.awaitProgrammed("invalid", 1);
    plane.apply(KubePlane.proxyTo("invalid", "missing"));
    String message =
        plane.awaitCondition("invalid", "Programmed", "Invalid", 2).get("message").getAsString();
    assertThat(message).contains("serving generation 1");
    assertThat(plane.condition("invalid", "Valid").toString())
        .contains("\"status\":\"False\"", "\"errors\":[{", "missing");
    assertThat(plane.proxyStatus("invalid").get("currentStatus").getAsString())
        .isEqualTo("invalid");
    assertThat(scene.backendOf("invalid")).isEqualTo("one");

    plane.down();
    assertThat(scene.backendOf("invalid")).isEqualTo("one");
    plane.up();
    plane.awaitCondition("invalid", "Programmed", "Invalid", 2);
    assertThat(scene.backendOf("invalid")).isEqualTo("one");

    plane.apply(KubePlane.proxyTo("invalid", "two"));
    scene.awaitBackend("invalid", "two");
    plane.awaitProgrammed("invalid", 3);
  }

  @Test
  void anEditThatEnvoyRefusesIsHeldAndTheClusterSaysSo() {
    plane.apply(KubePlane.proxyTo("refused", "one"));
    plane.awaitProgrammed("refused", 1);
    plane.apply(
        KubePlane.proxy(
            "refused",
            "[{services: [{name: two, port: 80}]}, {conditions: [{regex:"
                + " '/[a-z0-9]{1,200}/x'}], services: [{name: two, port: 80}]}]"));
    String message =
        plane.awaitCondition("refused", "Programmed", "Rejected", 2).get("message").getAsString();
    assertThat(message).contains("rejected by envoy", "serving generation 1");
    assertThat(scene.backendOf("refused")).isEqualTo("one");
    Plane.await(
        "an Event",
        () ->
            plane
                .cluster()
                .admin()
                .get("/apis/events.k8s.io/v1/namespaces/default/events")
                .json()
                .toString()
                .contains("\"reason\":\"Rejected\""));
  }

  @Test
  void hostsHaveTheAddressOfTheServiceInFrontOfTheProxies() {
    plane.apply(KubePlane.proxyTo("addressed", "one"));
    plane.apply(
        """
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata: {name: addressed, namespace: default}
        spec: {rules: [{host: ingress.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: one, port: {number: 80}}}}]}}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: edge, namespace: default}
        spec: {type: LoadBalancer, ports: [{name: http, port: 80}]}
        """);
    patchStatus(
        "/api/v1/namespaces/default/services/edge",
        "{\"status\": {\"loadBalancer\": {\"ingress\": [{\"ip\": \"203.0.113.7\"}]}}}");

    Plane.await(
        "the address of the HTTPProxy",
        () -> plane.proxyStatus("addressed").toString().contains("203.0.113.7"));
    Plane.await(
        "the address of the Ingress",
        () ->
            plane
                .cluster()
                .admin()
                .get("/apis/networking.k8s.io/v1/namespaces/default/ingresses/addressed")
                .json()
                .getAsJsonObject("status")
                .toString()
                .contains("203.0.113.7"));
  }

  @Test
  void aStatusThatSomebodyElseChangedIsWrittenAgain() {
    plane.apply(KubePlane.proxyTo("disputed", "one"));
    plane.awaitProgrammed("disputed", 1);
    patchStatus(PROXIES + "disputed", "{\"status\": {\"currentStatus\": \"invalid\"}}");

    Plane.await(
        "our status",
        () -> plane.proxyStatus("disputed").get("currentStatus").getAsString().equals("valid"));
  }

  @Test
  void anObjectOfAnotherClassIsLeftToItsController() {
    String foreign =
        KubePlane.proxyTo("foreign", "one").replace("spec:", "spec:\n  ingressClassName: other");
    plane.apply(foreign);
    patchStatus(
        PROXIES + "foreign",
        "{\"status\": {\"currentStatus\": \"invalid\", \"description\": \"theirs\"}}");
    Plane.await(
        "Holdfast knows it",
        () ->
            plane
                .adminText("/api/v1/objects/HTTPProxy/default/foreign")
                .contains("belongs to another ingress class"));
    // Whatever is written later was reported later.
    plane.apply(KubePlane.proxyTo("after-foreign", "one"));
    plane.awaitProgrammed("after-foreign", 1);

    assertThat(plane.proxyStatus("foreign").toString())
        .contains("theirs")
        .doesNotContain("Programmed");

    plane.apply(foreign.replace("other", "contour"));
    plane.awaitProgrammed("foreign", 2);
    plane.apply(foreign);
    Plane.await(
        "our status is taken back",
        () -> !plane.proxyStatus("foreign").toString().contains("Programmed"));
  }

  private static void patchStatus(String object, String json) {
    plane
        .cluster()
        .admin()
        .patch(object + "/status?fieldManager=somebody", "application/merge-patch+json", json)
        .orFail("patch " + object);
  }

  @Test
  void whoeverIsServedKeepsItsHost() {
    plane.apply(KubePlane.proxyTo("incumbent", "one"));
    plane.awaitProgrammed("incumbent", 1);
    plane.apply(
        KubePlane.proxyTo("another", "two")
            .replace(KubePlane.fqdn("another"), KubePlane.fqdn("incumbent")));
    plane.awaitCondition("another", "Programmed", "Conflict", 1);
    assertThat(scene.backendOf("incumbent")).isEqualTo("one");
    plane
        .cluster()
        .admin()
        .delete("/apis/projectcontour.io/v1/namespaces/default/httpproxies/incumbent")
        .orFail("delete");
    scene.awaitBackend("incumbent", "two");
  }
}
