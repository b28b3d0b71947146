// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.EnvoyAdmin;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.server.options.TrafficOptions;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** A control plane and an Envoy that it serves, to be shared by the tests of a class. */
final class Rig implements AutoCloseable {
  /** What a client sees that gets no answer. */
  static final String BROKEN = "broken";

  private static final Duration PATIENCE = Duration.ofSeconds(75);

  private final Plane plane;
  private final EnvoyProcess envoy;

  private Rig(Plane plane, EnvoyProcess envoy) {
    this.plane = plane;
    this.envoy = envoy;
  }

  /**
   * @param protocol {@code delta} or {@code sotw}
   * @param files names and texts in turn
   */
  static Rig start(String protocol, String... files) {
    return start(protocol, TrafficOptions.none(), files);
  }

  /** The same, with requests treated in another way. */
  static Rig start(String protocol, TrafficOptions traffic, String... files) {
    Plane plane = Plane.start(traffic, files);
    try {
      EnvoyBootstrap bootstrap =
          protocol.equals("delta")
              ? EnvoyBootstrap.delta(plane.xdsPort())
              : EnvoyBootstrap.sotw(plane.xdsPort());
      return new Rig(plane, EnvoyProcess.start(bootstrap));
    } catch (RuntimeException | Error e) { // skipped, if there is no Envoy
      plane.close();
      throw e;
    }
  }

  Plane plane() {
    return plane;
  }

  EnvoyAdmin admin() {
    return envoy.admin();
  }

  EnvoyProcess envoy() {
    return envoy;
  }

  Http http() {
    return envoy.http("ingress_http");
  }

  Http https(Tls tls) {
    return envoy.http("ingress_https").with(tls);
  }

  /** Writes a file of any objects. */
  Rig write(String file, String text) {
    plane.write(file, text);
    return this;
  }

  /** Writes one object into a file of its own. */
  Rig put(String key, String yaml) {
    return write(file(key), yaml);
  }

  Rig delete(String key) {
    plane.delete(file(key));
    return this;
  }

  /** Writes one object and waits until Envoy runs what was written. */
  Rig apply(String key, String yaml) {
    long before = generation(key);
    put(key, yaml);
    Plane.await(
        key + " programmed: " + plane.object(key),
        () -> {
          Plane.Said said = plane.said(key, "Programmed");
          return said.status().equals("True") && said.generation() > before;
        });
    return this;
  }

  /** The generation of an object; 0 if there is none. */
  long generation(String key) {
    JsonObject object = plane.object(key);
    return object.has("generation") ? object.get("generation").getAsLong() : 0;
  }

  private static String file(String key) {
    return key.replace('/', '_') + ".yaml";
  }

  /** What a client sees: the status and who answered, such as {@code 200 one}. */
  static String seen(Http http, String host, String path) {
    return seen(() -> http.get(path).host(host).send());
  }

  static String seen(Supplier<Http.Response> sent) {
    try {
      Http.Response response = sent.get();
      return (response.status() + " " + response.backend()).trim();
    } catch (UncheckedIOException e) {
      return BROKEN;
    }
  }

  /** Waits until a client sees something. */
  static void awaitSeen(String expected, Supplier<String> seen) {
    Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(seen.get()).isEqualTo(expected));
  }

  static void awaitSeen(String expected, Http http, String host, String path) {
    awaitSeen(expected, () -> seen(http, host, path));
  }

  /** The sum of the control plane's own numbers of a name that have a label. */
  long sum(String name, String label) {
    return Http.on(plane.adminPort())
        .get("/metrics")
        .send()
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{") && line.contains(label))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** A number of the control plane's own, such as {@code holdfast_acks_total{type="Cluster"}}. */
  long metric(String sample) {
    String text = Http.on(plane.adminPort()).get("/metrics").send().body();
    return text.lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + sample + " in\n" + text));
  }

  /** The cluster of this name as Envoy runs it, once that has done its first health checks. */
  JsonObject cluster(String name) {
    Plane.await("a cluster named " + name, () -> !clusters(name).isEmpty());
    List<JsonObject> found = clusters(name);
    assertThat(found).as("clusters named %s", name).hasSize(1);
    return found.get(0);
  }

  private List<JsonObject> clusters(String name) {
    return admin().configDump("dynamic_active_clusters").stream()
        .map(entry -> entry.getAsJsonObject("cluster"))
        .filter(cluster -> cluster.get("name").getAsString().equals(name))
        .toList();
  }

  @Override
  public void close() {
    envoy.close();
    plane.close();
  }
}
