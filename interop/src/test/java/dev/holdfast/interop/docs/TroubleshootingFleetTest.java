// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static dev.holdfast.interop.docs.TroubledShop.HOST;
import static dev.holdfast.interop.docs.TroubleshootingTest.PROGRAMMED;
import static dev.holdfast.interop.docs.TroubleshootingTest.host;
import static dev.holdfast.interop.docs.TroubleshootingTest.refused;
import static dev.holdfast.interop.docs.TroubleshootingTest.script;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.EnvoyProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The symptoms of docs/troubleshooting.md that take several Envoys. */
class TroubleshootingFleetTest {
  private static final String DISAGREE = "Proxies disagree";

  @TempDir Path place;

  @Test
  @Symptom(DISAGREE)
  @Symptom(value = DISAGREE, row = "a message that ends with `judged by one proxy`")
  @Symptom(value = DISAGREE, row = "`proxies of the class disagree`")
  @Symptom(value = DISAGREE, row = "`diverged` in `get proxies`")
  @Symptom(value = DISAGREE, row = "`synced` in `get proxies`, although an object is held")
  void oneProxyIsUnlikeTheOthers() throws Exception {
    try (TroubledShop shop = TroubledShop.open(place)) {
      shop.join("edge-1");
      shop.answers(HOST, "/", 200);
      TroubledShop.Reader reader = shop.reads(DISAGREE);

      shop.write("bad.yaml", refused("bad"));
      reader.sees(
          "./holdfast get problems", "HTTPProxy/shop/bad RejectedNew", "judged by one proxy");
      reader.sees("./holdfast get proxies", "edge-1", "synced");
      reader.isDone();

      // A second one, which has a runtime setting of its own, is asked and disagrees.
      reader.reads("asks again when another proxy of the class has connected");
      shop.join(shop.bootstrap("edge-2").runtime("re2.max_program_size.error_level", 100_000));
      reader.sees(
          "./holdfast get problems",
          "proxies of the class disagree: edge-1 rejects it, edge-2 accepts it");
      assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);

      reader.reads("A third proxy of the class decides");
      EnvoyProcess third = shop.join("edge-3");
      reader.sees("./holdfast get proxies", "edge-2", "diverged");
      reader.sees(
          "./holdfast get problems",
          "proxy edge-2 Diverged",
          "accepts what other proxies",
          "RejectedNew");

      reader.reads("correct its settings and restart it");
      shop.leave("edge-2");
      shop.join("edge-2");
      shop.write("bad.yaml", host("bad"));
      shop.answers("bad.example.com", "/", 200);
      TroubledShop.eventually(
          "the third one",
          () -> {
            assertThat(third.http("ingress_http").get("/").host("bad.example.com").send().status())
                .isEqualTo(200);
            return third;
          });
      reader.sees("./holdfast get problems", "no problems");
      assertThat(reader.sees("./holdfast get proxies", "edge-1", "edge-2", "edge-3"))
          .doesNotContain("diverged", "rejected");
    }
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`False/ProxyDied`")
  void aScriptEndsTheProxiesThatReceiveIt() throws Exception {
    try (TroubledShop shop = TroubledShop.open(place)) {
      List<String> nodes = List.of("edge-1", "edge-2", "edge-3");
      List<EnvoyProcess> envoys = new ArrayList<>();
      for (String node : nodes) {
        envoys.add(shop.join(node));
      }
      shop.write("lua.yaml", script("deadly", "storefront", "function envoy_on_request(h) end"));
      TroubledShop.Reader reader = shop.reads(PROGRAMMED);
      reader.sees("./holdfast get objects", "ExtensionPolicy deadly 1 1 True True 3/3");

      shop.write("lua.yaml", script("deadly", "storefront", "os.exit(1)"));
      String seen =
          reader.sees("./holdfast get objects", "ExtensionPolicy deadly 2 1 True False/ProxyDied");
      List<String> dead = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        if (!envoys.get(i).isAlive()) {
          dead.add(nodes.get(i));
        }
      }
      reader.reads("read the log of a proxy that the message names");
      assertThat(dead).hasSize(2);
      assertThat(seen).contains(dead);
      for (EnvoyProcess envoy : envoys) {
        if (envoy.isAlive()) {
          assertThat(envoy.http("ingress_http").get("/").host(HOST).send().status()).isEqualTo(200);
        }
      }

      shop.write("lua.yaml", script("deadly", "storefront", "function envoy_on_response(h) end"));
      for (String node : dead) {
        shop.leave(node);
        shop.join(node);
      }
      reader.sees("./holdfast get objects", "ExtensionPolicy deadly 3 3 True True 3/3");
      shop.answers(HOST, "/", 200);
    }
  }
}
