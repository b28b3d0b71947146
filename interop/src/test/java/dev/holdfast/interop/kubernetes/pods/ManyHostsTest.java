// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.kubernetes.KubeApi;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.hold.Load;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster with many HTTPProxies, all of which are asked for all the time, while single ones are
 * edited and held and the control plane is killed. {@code -Dholdfast.cluster.hosts=10000} makes it
 * large.
 */
class ManyHostsTest {
  private static final int HOSTS = Integer.getInteger("holdfast.cluster.hosts", 1_000);
  private static final String STATE = "kubernetes:default/holdfast";
  private static final String PROXIES = "/apis/projectcontour.io/v1/namespaces/default/httpproxies";

  /** Statuses are written at 50 per second. */
  private static final int LONGEST_SECONDS = 60 + HOSTS / 20;

  @TempDir private Path directory;

  @Test
  void noRequestFailsWhileObjectsAreEditedAndHeldAndTheControlPlaneIsKilled() throws Exception {
    try (KubePlane plane = KubePlane.start();
        Backend one = Backend.startAt(KubePlane.pod(), "one");
        Backend two = Backend.startAt(KubePlane.pod(), "two")) {
      plane.down(); // a process takes its place, on its port
      plane.apply(KubePlane.service("one", one) + "---\n" + KubePlane.service("two", two));
      createHosts(plane.cluster().admin());

      long started = System.nanoTime();
      Replica first = new Replica(directory, plane, STATE, plane.xdsPort());
      first.awaitLeading();
      long leading = System.nanoTime();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        Http http = envoy.http("ingress_http");
        awaitBackend(http, HOSTS - 1, "one");
        System.out.printf(
            "%,d HTTPProxies: ready after %.1f s, answered after %.1f s, %d MiB%n",
            HOSTS,
            (leading - started) / 1e9,
            (System.nanoTime() - started) / 1e9,
            first.residentMib());
        List<String> hosts =
            IntStream.range(0, HOSTS).mapToObj(i -> KubePlane.fqdn(host(i))).toList();
        try (Load load = new Load(http.port(), hosts)) {
          editAndHold(plane, http);

          try (Replica second = new Replica(directory, plane, STATE, plane.xdsPort())) {
            second.awaitStandby();
            second.awaitWarm();
            first.signal("KILL");
            first.exitCode();
            plane.apply(KubePlane.proxyTo(host(4), "two"));
            started = System.nanoTime();
            second.awaitLeading();
            leading = System.nanoTime();
            awaitBackend(http, 4, "two");
            System.out.printf(
                "%,d HTTPProxies: the standby leads %.1f s after a kill, and an edit is answered"
                    + " after %.1f s%n",
                HOSTS, (leading - started) / 1e9, (System.nanoTime() - started) / 1e9);
            assertThat(backendOf(http, 1)).isEqualTo("two");
            assertThat(backendOf(http, 2)).isEqualTo("one");
            assertThat(backendOf(http, 3)).isEqualTo("one");
            awaitStatuses(plane);
            System.out.printf(
                "%,d HTTPProxies: all statuses are written after %.1f s, %d MiB%n",
                HOSTS, (System.nanoTime() - started) / 1e9, second.residentMib());
          }
          long before = load.requests();
          Plane.await("more requests", () -> load.requests() > before + 100);
          assertThat(load.failures()).isEmpty();
        }
      } finally {
        first.close();
      }
    }
  }

  private static String host(int i) {
    return "host-" + i;
  }

  private static void createHosts(KubeApi api) {
    IntStream.range(0, HOSTS)
        .parallel()
        .forEach(
            i -> {
              JsonObject host = KubeApi.documents(KubePlane.proxyTo(host(i), "one")).get(0);
              api.post(PROXIES, host.toString()).orFail(host(i));
            });
  }

  /** Host 1 is edited; 2 is edited so that it is not valid, 3 so that Envoy refuses it. */
  private static void editAndHold(KubePlane plane, Http http) {
    long edited = System.nanoTime();
    plane.apply(KubePlane.proxyTo(host(1), "two"));
    awaitBackend(http, 1, "two");
    System.out.printf(
        "%,d HTTPProxies: an edit is answered after %.2f s%n",
        HOSTS, (System.nanoTime() - edited) / 1e9);

    plane.apply(KubePlane.proxyTo(host(2), "missing"));
    plane.awaitCondition(host(2), "Programmed", "Invalid", 2);
    plane.apply(
        KubePlane.proxy(
            host(3),
            "[{services: [{name: two, port: 80}]}, {conditions: [{regex:"
                + " '/[a-z0-9]{1,200}/x'}], services: [{name: two, port: 80}]}]"));
    plane.awaitCondition(host(3), "Programmed", "Rejected", 2);
    assertThat(backendOf(http, 2)).isEqualTo("one");
    assertThat(backendOf(http, 3)).isEqualTo("one");
  }

  private static String backendOf(Http http, int host) {
    return http.get("/").host(KubePlane.fqdn(host(host))).send().backend();
  }

  private static void awaitBackend(Http http, int host, String backend) {
    Plane.await(
        host(host) + " is answered by " + backend, () -> backendOf(http, host).equals(backend));
  }

  /** Every object says of its newest generation what is true. */
  private static void awaitStatuses(KubePlane plane) {
    SortedMap<String, Integer> expected = new TreeMap<>();
    expected.put("Programmed", HOSTS - 2);
    expected.put("Invalid", 1);
    expected.put("Rejected", 1);
    Awaitility.await("statuses")
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(LONGEST_SECONDS))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertThat(reasons(plane)).isEqualTo(expected));
  }

  private static SortedMap<String, Integer> reasons(KubePlane plane) {
    SortedMap<String, Integer> reasons = new TreeMap<>();
    JsonObject list = plane.cluster().admin().get(PROXIES).orFail("list").json();
    for (JsonElement each : list.getAsJsonArray("items")) {
      reasons.merge(reason(each.getAsJsonObject()), 1, Integer::sum);
    }
    return reasons;
  }

  private static String reason(JsonObject proxy) {
    long generation = proxy.getAsJsonObject("metadata").get("generation").getAsLong();
    JsonElement conditions = proxy.getAsJsonObject("status").get("conditions");
    if (conditions == null) {
      return "none";
    }
    for (JsonElement each : conditions.getAsJsonArray()) {
      JsonObject condition = each.getAsJsonObject();
      if (condition.get("type").getAsString().equals("Programmed")) {
        return condition.get("observedGeneration").getAsLong() == generation
            ? condition.get("reason").getAsString()
            : "old";
      }
    }
    return "none";
  }
}
