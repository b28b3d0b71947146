// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import dev.holdfast.testkit.TestCa;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A control plane, two services behind it, and an Envoy in front. */
final class Scene implements AutoCloseable {
  static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");
  static final Map<Integer, String> BACKENDS =
      new TreeMap<>(Map.of(ONE.port(), "one", TWO.port(), "two"));

  private final String kind;
  private final Plane plane;
  private final List<Peer> peers = new ArrayList<>();

  private Scene(String kind, Plane plane) {
    this.kind = kind;
    this.plane = plane;
  }

  /**
   * @param kind {@code real} or {@code fake}, and {@code delta} or {@code sotw}
   * @param files names and texts in turn
   */
  static Scene start(String kind, String... files) {
    Scene scene = of(kind, Plane.start(files));
    try {
      scene.join("e1");
      return scene;
    } catch (RuntimeException | Error e) { // skipped, if there is no Envoy
      scene.close();
      throw e;
    }
  }

  /** One without any Envoy yet. */
  static Scene of(String kind, Plane plane) {
    return new Scene(kind, plane.write("services.yaml", services()));
  }

  /** The port of the backend that calls itself {@code one} or {@code two}. */
  static int port(String backend) {
    return (backend.equals("one") ? ONE : TWO).port();
  }

  /** The services {@code one} and {@code two}. */
  static String services() {
    return Yaml.service("one", ONE.port()) + "---\n" + Yaml.service("two", TWO.port());
  }

  /** Another Envoy. */
  Peer join(String node) {
    Peer peer = Peer.start(kind, plane.xdsPort(), node, CA, BACKENDS);
    peers.add(peer);
    return peer;
  }

  /** One of some class, for which regular expressions may be that large. */
  Peer join(String node, String group, int regexes) {
    Peer peer = Peer.start(kind, plane.xdsPort(), node, group, regexes, CA, BACKENDS);
    peers.add(peer);
    return peer;
  }

  Plane plane() {
    return plane;
  }

  /** The first Envoy. */
  Peer peer() {
    return peers.get(0);
  }

  /** Waits until a client without TLS sees something. */
  void awaitGet(String host, String path, String expected) {
    Plane.await(
        host + path + " is answered by " + expected, () -> peer().get(host, path).equals(expected));
  }

  /** Waits until a client sees something, with TLS or without. */
  void awaitSeen(boolean tls, String host, String path, String expected) {
    Plane.await(
        host + path + " is answered by " + expected, () -> seen(tls, host, path).equals(expected));
  }

  String seen(boolean tls, String host, String path) {
    return tls ? peer().secure(host, path) : peer().get(host, path);
  }

  /** What is held, as NAME@GENERATION/SERVED REASON. */
  List<String> held() {
    return plane.items("/api/v1/holds").stream()
        .map(
            hold ->
                "%s@%d/%d %s"
                    .formatted(
                        hold.get("name").getAsString(),
                        hold.get("generation").getAsLong(),
                        hold.get("servedGeneration").getAsLong(),
                        hold.get("reason").getAsString()))
        .toList();
  }

  /** Waits until exactly this is held, in the order of names. */
  void awaitHeld(String... expected) {
    Plane.await("held: " + List.of(expected), () -> held().equals(List.of(expected)));
  }

  /** The incidents, newest first, once all are over. */
  List<JsonObject> incidents() {
    Plane.await(
        "no search is under way",
        () ->
            plane.items("/api/v1/incidents").stream()
                .noneMatch(incident -> incident.get("tookMillis").isJsonNull()));
    return plane.items("/api/v1/incidents");
  }

  /** How many responses were refused. */
  long nacks() {
    return plane.metric("holdfast_nacks_total");
  }

  /**
   * What was refused was not sent again: each rejection is one that a search asked for. Envoy says
   * no to the same routes as often as it gets them.
   */
  void nothingRefusedWasSentAgain(long searched) {
    assertThat(nacks()).as("rejections, of which trials: %s", searched).isEqualTo(searched);
  }

  @Override
  public void close() {
    peers.forEach(Peer::close);
    plane.close();
  }
}
