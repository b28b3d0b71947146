// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The server ends in the middle of a search and comes back, to Envoys that went on or to one that
 * starts with nothing. Every single step is played on the fake Envoy elsewhere.
 */
class RestartTest {
  private static final int OLD = 5;
  private static final int NEW = 200;
  private static final List<String> HELD = List.of("n017@1/0 RejectedNew", "n151@1/0 RejectedNew");

  @TempDir Path root;

  /**
   * @param nacks after how many rejections the server ends
   */
  @ParameterizedTest
  @CsvSource({
    "delta, KILL, 1, warm",
    "delta, KILL, 4, warm",
    "delta, TERM, 6, cold",
    "sotw, KILL, 4, warm",
    "sotw, KILL, 5, cold"
  })
  void theOutcomeIsTheSame(String protocol, String signal, int nacks, String envoys)
      throws Exception {
    try (PlaneProcess plane = new PlaneProcess(root)) {
      plane.write("services.yaml", Scene.services());
      plane.write("old.yaml", old());
      plane.up();
      EnvoyProcess envoy = EnvoyProcess.start(bootstrap(protocol, plane));
      try {
        Plane.await("all is programmed", () -> programmed(plane) == OLD);
        try (Load load = new Load(envoy.http("ingress_http").port(), oldHosts())) {
          plane.write("new.yaml", news());
          Plane.await(nacks + " rejections", () -> plane.metric("holdfast_nacks_total") >= nacks);
          plane.end(signal);
          if (envoys.equals("warm")) {
            plane.up();
            awaitOutcome(plane);
          }
          assertThat(load.failures()).isEmpty();
          assertThat(load.requests()).isPositive();
        }
        if (envoys.equals("cold")) {
          envoy.close();
          plane.up();
          envoy = EnvoyProcess.start(bootstrap(protocol, plane));
          int port = envoy.http("ingress_http").port();
          try (Load load = new Load(port, oldHosts())) { // never less than was good before
            awaitOutcome(plane);
            assertThat(load.failures()).isEmpty();
          }
        }
      } finally {
        envoy.close();
      }
    }
  }

  private static void awaitOutcome(PlaneProcess plane) {
    Plane.await(
        "all but the bad ones are programmed",
        () -> programmed(plane) == OLD + NEW - HELD.size() && held(plane).equals(HELD));
  }

  private static EnvoyBootstrap bootstrap(String protocol, PlaneProcess plane) {
    return protocol.equals("delta")
        ? EnvoyBootstrap.delta(plane.xdsPort())
        : EnvoyBootstrap.sotw(plane.xdsPort());
  }

  private static long programmed(PlaneProcess plane) throws Exception {
    return plane.objects().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("HTTPProxy/"))
        .filter(entry -> PlaneProcess.programmed(entry.getValue()).equals("True/Programmed"))
        .count();
  }

  private static List<String> held(PlaneProcess plane) throws Exception {
    List<String> held = new ArrayList<>();
    for (JsonElement element : plane.items("/api/v1/holds")) {
      JsonObject hold = element.getAsJsonObject();
      held.add(
          hold.get("name").getAsString()
              + "@"
              + hold.get("generation")
              + "/"
              + hold.get("servedGeneration")
              + " "
              + hold.get("reason").getAsString());
    }
    return held;
  }

  private static List<String> oldHosts() {
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < OLD; i++) {
      hosts.add(Hosts.fqdn("old" + i));
    }
    return hosts;
  }

  private static String old() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < OLD; i++) {
      text.append("---\n").append(Hosts.good("old" + i, "one"));
    }
    return text.substring(4);
  }

  private static String news() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < NEW; i++) {
      String name = "n%03d".formatted(i);
      boolean bad = HELD.stream().anyMatch(held -> held.startsWith(name));
      text.append("---\n").append(bad ? Hosts.badWithoutAWord(name) : Hosts.good(name, "one"));
    }
    return text.substring(4);
  }
}
