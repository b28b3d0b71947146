// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.Heap;
import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The example's files with something wrong in each, a thousand times over, next to good ones that
 * change all the while. {@code -Dholdfast.trees=20000} makes more of it.
 */
class MutatedTreesTest {
  private static final int TREES = Integer.getInteger("holdfast.trees", 1000);
  private static final long SEED = Long.getLong("holdfast.seed", 1);
  private static final int AT_ONCE = 100;
  private static final List<String> FILES = List.of("services.yaml", "api.yaml", "storefront.yaml");
  private static final String GOOD = "HTTPProxy/default/good";
  private static final int MOST_GROWTH_MEGABYTES = 64;

  @Test
  void goodObjectsKeepFlowingBetweenBadOnes() throws Exception {
    Path shop = TestSources.repositoryRoot().resolve("examples/shop");
    Mutations mutations = new Mutations(SEED);
    try (Backend backend = Backend.start("b");
        Plane plane =
            Plane.start("service.yaml", Yaml.service("b", backend.port()), "good.yaml", good(1));
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
      plane.awaitProgrammed(GOOD, 1);
      Http http = envoy.http("ingress_http");
      long before = Heap.megabytes();
      long generation = 1;
      for (int tree = 0; tree < TREES; tree++) {
        for (String file : FILES) {
          String text =
              Files.readString(shop.resolve(file))
                  .replace("namespace: shop", "namespace: shop" + tree)
                  .replace("shop.example.com", "shop" + tree + ".example.com");
          plane.write("tree" + tree % AT_ONCE + "-" + file, mutations.spoil(text));
        }
        if (tree % AT_ONCE == AT_ONCE - 1) {
          plane.write("good.yaml", good(++generation));
          plane.awaitProgrammed(GOOD, generation);
          assertThat(http.get("/x").host("good.example.com").send().backend()).isEqualTo("b");
        }
      }
      for (int slot = 0; slot < Math.min(TREES, AT_ONCE); slot++) {
        for (String file : FILES) {
          plane.delete("tree" + slot + "-" + file);
        }
      }
      Plane.await(
          "only the good ones are left",
          () -> {
            if (!plane.items("/api/v1/deletions").isEmpty()) { // there may have been enough hosts
              plane.post("/api/v1/deletions/confirm");
            }
            return plane.get("/api/v1/objects").getAsJsonObject().getAsJsonArray("items").size()
                == 3;
          });
      plane.write("good.yaml", good(++generation));
      plane.awaitProgrammed(GOOD, generation);
      assertThat(Heap.megabytes() - before).isLessThan(MOST_GROWTH_MEGABYTES);
    }
  }

  private static String good(long edit) {
    return Yaml.root(
        "good",
        "good.example.com",
        "routes: [{services: [{name: b, port: 80}], timeoutPolicy: {response: "
            + (10 + edit)
            + "s}}]");
  }
}
