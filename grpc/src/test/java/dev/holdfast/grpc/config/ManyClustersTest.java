// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.routesTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.testkit.Resources;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An update costs what changed. */
class ManyClustersTest {
  @Test
  void oneChangeAmongAThousandClustersIsOneDifference() {
    String[] names = IntStream.range(0, 1000).mapToObj(i -> "c" + i).toArray(String[]::new);
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(routesTo("r", names));
      it.inOneTurn(() -> send(it, "CDS", names));
      it.nothing();
      it.inOneTurn(() -> send(it, "EDS", names));
      XdsConfig before = it.next();
      assertThat(before.clusters()).hasSize(1000);

      it.endpoints("c500", 2);
      XdsConfig after = it.next();
      List<String> compared = new ArrayList<>();
      PersistentMap.Difference<String, StatusOr<ClusterConfig>> difference =
          (name, was, is) -> compared.add(name);
      ClusterMap.diff(before.clusters(), after.clusters(), difference);
      assertThat(compared).containsExactly("c500");
      for (String name : names) {
        if (!name.equals("c500")) {
          assertThat(after.clusters().get(name)).isSameAs(before.clusters().get(name));
        }
      }
    }
  }

  private static void send(Dependent it, String type, String... names) {
    for (String name : names) {
      it.xds.send(
          type,
          name,
          type.equals("CDS") ? Resources.edsCluster(name) : Resources.endpoints(name, 1));
    }
  }
}
