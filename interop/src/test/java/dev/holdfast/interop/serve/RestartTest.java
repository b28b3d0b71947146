// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyAdmin;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.testkit.TestCa;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that comes back finds its proxies as it left them, says nothing, and takes nothing back.
 */
class RestartTest {
  private static final TestCa CA = TestCa.create("holdfast test");

  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({"delta, TERM", "delta, KILL", "sotw, TERM", "sotw, KILL"})
  void aRestartSendsNothingAndStatusesStay(String protocol, String signal) throws Exception {
    try (Backend backend = Backend.start("b0");
        PlaneProcess plane = new PlaneProcess(root)) {
      RandomEdits shop =
          new RandomEdits(3, new TreeMap<>(java.util.Map.of("b0", backend.port())), CA);
      shop.start().applyTo(plane);
      plane.write("shop.yaml", shop("15s"));
      plane.up();
      try (EnvoyProcess envoy =
          EnvoyProcess.start(
              protocol.equals("delta")
                  ? EnvoyBootstrap.delta(plane.xdsPort())
                  : EnvoyBootstrap.sotw(plane.xdsPort()))) {
        Http http = envoy.http("ingress_http");
        Plane.await("all is programmed", () -> settled(plane.objects()));
        SortedMap<String, String> before = said(plane.objects());
        String updates = updates(envoy.admin());

        plane.end(signal);
        assertThat(http.get("/x").host("shop.example.com").send().status()).isEqualTo(200);
        plane.up();

        assertThat(said(plane.objects())).isEqualTo(before);
        Plane.await("Envoy is back", () -> types(plane) >= 5);
        Plane.await("all is programmed", () -> settled(plane.objects()));
        assertThat(said(plane.objects())).isEqualTo(before);
        assertThat(sentButSecrets(plane, protocol, signal)).isZero();
        assertThat(updates(envoy.admin())).isEqualTo(updates);

        // Whatever was still to be said would be said before this.
        plane.write("shop.yaml", shop("16s"));
        Plane.await(
            "the edit is programmed",
            () -> {
              JsonObject object = plane.objects().get("HTTPProxy/shop");
              return object != null
                  && object.get("servedGeneration").getAsLong() == 2
                  && PlaneProcess.programmed(object).equals("True/Programmed");
            });
        assertThat(sentButSecrets(plane, protocol, signal)).isOne();
      }
    }
  }

  /**
   * How much was sent. In SotW a proxy names its Secrets by one version for all, which may be of
   * one that it asks for anew: a server that was killed sends them once more, at any time after,
   * which Envoy takes for what it has. There are none over Delta, nor after a stop in good order.
   */
  private static double sentButSecrets(PlaneProcess plane, String protocol, String signal)
      throws Exception {
    String metrics = plane.text("/metrics");
    double secrets = PlaneProcess.sum(metrics, "holdfast_responses_total{type=\"Secret\"}");
    assertThat(secrets)
        .isLessThanOrEqualTo(protocol.equals("sotw") && signal.equals("KILL") ? 2 : 0);
    return PlaneProcess.sum(metrics, "holdfast_responses_total") - secrets;
  }

  private static String shop(String timeout) {
    return Yaml.root(
        "shop",
        "shop.example.com",
        "routes: [{services: [{name: s0, port: 80}], timeoutPolicy: {response: " + timeout + "}}]");
  }

  private static boolean settled(SortedMap<String, JsonObject> objects) {
    return objects.values().stream()
        .map(PlaneProcess::programmed)
        .allMatch(said -> said.equals("True/Programmed") || said.equals("False/NotReferenced"));
  }

  /** What authors see, times included. */
  private static SortedMap<String, String> said(SortedMap<String, JsonObject> objects) {
    SortedMap<String, String> said = new TreeMap<>();
    objects.forEach(
        (key, object) ->
            said.put(
                key,
                object.get("generation")
                    + " "
                    + object.get("servedGeneration")
                    + " "
                    + object.get("conditions")));
    return said;
  }

  /** Of how many types the server knows what its only proxy runs. */
  private static int types(PlaneProcess plane) throws Exception {
    int types = 0;
    for (JsonElement proxy : plane.items("/api/v1/proxies")) {
      for (JsonElement stream : proxy.getAsJsonObject().getAsJsonArray("streams")) {
        types += stream.getAsJsonObject().getAsJsonArray("types").size();
      }
    }
    return types;
  }

  /** How often Envoy was told something. */
  private static String updates(EnvoyAdmin admin) {
    StringBuilder counts = new StringBuilder();
    for (String stat :
        List.of(
            "cluster_manager.cds.update_success",
            "listener_manager.lds.update_success",
            "http.ingress_http.rds.ingress_http.update_success")) {
      counts.append(stat).append('=').append(admin.stat(stat)).append(' ');
    }
    return counts.toString();
  }
}
