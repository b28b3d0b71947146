// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.interop.serve.Plane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One Envoy of three takes smaller regular expressions than the others. It gets everything but the
 * host that has a large one, of which it serves the last version that it accepted, or nothing; and
 * the others notice nothing of it.
 */
class OddEnvoyTest {
  private static final String A = "HTTPProxy/default/a";
  private static final String B = "HTTPProxy/default/b";
  private static final int LARGE = 100_000;

  private static Plane plane() {
    return Plane.start(
        DisagreementPolicy.UNIFORM,
        "a.yaml",
        Hosts.good("a", "one"),
        "b.yaml",
        Hosts.good("b", "one"),
        "c.yaml",
        Hosts.good("c", "one"));
  }

  /** Requests for some hosts through an Envoy, all the time. */
  private static final class Requests implements AutoCloseable {
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final Thread thread;
    private volatile boolean stopped;

    Requests(Peer peer, String... hosts) {
      thread =
          new Thread(
              () -> {
                while (!stopped) {
                  for (String host : hosts) {
                    String answer = peer.get(Hosts.fqdn(host), "/");
                    answers.incrementAndGet();
                    if (!answer.startsWith("200 ") && !stopped) {
                      failures.add(host + ": " + answer);
                    }
                  }
                }
              },
              "requests");
      thread.setDaemon(true);
      thread.start();
    }

    /** How many were answered; all of them with 200. */
    int end() {
      stopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertThat(failures).isEmpty();
      return answers.get();
    }

    @Override
    public void close() {
      stopped = true;
    }
  }

  private static void all(List<Peer> peers, String host, String expected) {
    for (Peer peer : peers) {
      Plane.await(
          host + " is answered by " + expected,
          () -> peer.get(Hosts.fqdn(host), "/").equals(expected));
    }
  }

  private static String divergence(Plane plane) {
    for (JsonObject proxy : plane.items("/api/v1/proxies")) {
      if (proxy.get("diverged").isJsonObject()) {
        return proxy.get("node").getAsString()
            + ": "
            + proxy.getAsJsonObject("diverged").get("message").getAsString();
      }
    }
    return "";
  }

  /** The odd one has been connected for longest, so it is the first to be asked; or it is not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itGetsLaterEditsOfOthersAndSoItDoesAfterARestartOfTheControlPlane(boolean isFirst) {
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      List<Peer> others = new ArrayList<>();
      Peer first = isFirst ? scene.join("odd", "a", Peer.USUAL) : null;
      others.add(scene.join("e1", "a", LARGE));
      others.add(scene.join("e2", "a", LARGE));
      others.add(scene.join("e3", "a", LARGE));
      all(others, "a", "200 one");
      Peer odd = first == null ? scene.join("odd", "a", Peer.USUAL) : first;
      for (String host : List.of("a", "b", "c")) {
        all(others, host, "200 one");
        all(List.of(odd), host, "200 one");
      }
      plane.awaitProgrammed(A, 1);
      try (Requests one = new Requests(others.get(0), "a", "b", "c");
          Requests two = new Requests(others.get(1), "a", "b", "c");
          Requests through = new Requests(odd, "a", "b", "c")) {
        plane.write("a.yaml", Hosts.bad("a", "two"));
        plane.awaitProgrammed(A, 2);
        plane.write("b.yaml", Hosts.good("b", "two"));
        plane.awaitProgrammed(B, 2);
        all(others, "a", "200 two");
        all(others, "b", "200 two");
        all(List.of(odd), "b", "200 two");
        assertThat(odd.get(Hosts.fqdn("a"), "/")).isEqualTo("200 one");
        assertThat(scene.held()).isEmpty();
        Plane.await(
            "it says what it lacks: " + divergence(plane),
            () -> divergence(plane).contains(A + " generation 2 (it has 1)"));
        plane.awaitMessage(A, "Programmed", "except 1 that has diverged");

        plane.down();
        plane.up();
        plane.write("c.yaml", Hosts.good("c", "two"));
        all(others, "c", "200 two");
        all(List.of(odd), "c", "200 two");
        assertThat(odd.get(Hosts.fqdn("a"), "/")).isEqualTo("200 one");
        assertThat(odd.get(Hosts.fqdn("b"), "/")).isEqualTo("200 two");
        System.out.printf(
            "odd Envoy: %d answers of the others, %d of it%n",
            one.end() + two.end(), through.end());
      }
    }
  }

  @Test
  void ifItStartsWithNothingItServesAllThatItCanRun() {
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      List<Peer> others =
          List.of(
              scene.join("e1", "a", LARGE),
              scene.join("e2", "a", LARGE),
              scene.join("e3", "a", LARGE));
      all(others, "b", "200 one");
      plane.awaitProgrammed(A, 1);
      plane.write("a.yaml", Hosts.bad("a", "two"));
      plane.awaitProgrammed(A, 2);
      try (Requests one = new Requests(others.get(0), "a", "b", "c");
          Requests two = new Requests(others.get(1), "a", "b", "c")) {
        Peer odd = scene.join("odd", "a", Peer.USUAL);
        all(List.of(odd), "b", "200 one");
        all(List.of(odd), "c", "200 one");
        try (Requests through = new Requests(odd, "b", "c")) {
          plane.write("b.yaml", Hosts.good("b", "two"));
          plane.awaitProgrammed(B, 2);
          all(List.of(odd), "b", "200 two");
          assertThat(through.end()).isPositive();
        }
        odd.close(); // it is killed
        Plane.await("it is gone", () -> divergence(plane).isEmpty());
        Peer again = scene.join("odd", "a", Peer.USUAL);
        all(List.of(again), "b", "200 two");
        all(List.of(again), "c", "200 one");
        assertThat(again.get(Hosts.fqdn("a"), "/")).isNotEqualTo("200 two");
        assertThat(scene.held()).isEmpty();
        assertThat(one.end() + two.end()).isPositive();
      }
    }
  }
}
