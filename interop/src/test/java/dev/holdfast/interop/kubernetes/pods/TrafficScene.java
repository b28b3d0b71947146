// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.hold.Load;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster with the Services {@code one} and {@code two}, twelve hosts of the first that nobody
 * edits, an Envoy, and requests to these hosts all the time.
 */
final class TrafficScene implements AutoCloseable {
  static final int HOSTS = 12;

  private final KubePlane plane;
  private final Backend one = Backend.startAt(KubePlane.pod(), "one");
  private final Backend two = Backend.startAt(KubePlane.pod(), "two");
  private final EnvoyProcess envoy;
  private final Http http;
  private final Load load;

  private TrafficScene(KubePlane plane) {
    this.plane = plane;
    plane.apply(KubePlane.service("one", one) + "---\n" + KubePlane.service("two", two));
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < HOSTS; i++) {
      plane.apply(KubePlane.proxyTo(steady(i), "one"));
      hosts.add(KubePlane.fqdn(steady(i)));
    }
    envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()));
    for (int i = 0; i < HOSTS; i++) {
      plane.awaitProgrammed(steady(i), 1);
    }
    http = envoy.http("ingress_http");
    load = new Load(http.port(), hosts);
  }

  /** Skips the test where there is no API server, no Envoy, or no address for a pod. */
  static TrafficScene start() {
    return new TrafficScene(KubePlane.start());
  }

  static String steady(int i) {
    return "steady-" + i;
  }

  KubePlane plane() {
    return plane;
  }

  /** Who answers for a host; empty if nobody does. */
  String backendOf(String name) {
    return http.get("/").host(KubePlane.fqdn(name)).send().backend();
  }

  void awaitBackend(String name, String backend) {
    Plane.await(name + " is answered by " + backend, () -> backendOf(name).equals(backend));
  }

  void awaitMoreRequests(int count) {
    long before = load.requests();
    Plane.await("more requests", () -> load.requests() > before + count);
  }

  void assertNoRequestFailed() {
    awaitMoreRequests(20);
    assertThat(load.failures()).isEmpty();
  }

  @Override
  public void close() {
    load.close();
    envoy.close();
    plane.close();
    one.close();
    two.close();
  }
}
