// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.edsCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.impatientCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyResources;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an Envoy does with endpoints, good and bad; true of the real one and of the fake. */
@ParameterizedClass
@EnumSource(Bench.Kind.class)
class EdsScenariosTest {
  private final Bench bench;

  EdsScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static ClusterLoadAssignment bad(String name) {
    return Resources.clusterLoadAssignment(
        """
        {"cluster_name": "%s", "endpoints": [{"lb_endpoints": [%s]}]}
        """
            .formatted(name, EnvoyResources.endpoint("not-an-ip", 80)));
  }

  @Test
  void badEndpointsLeaveTheOldOnesServing() {
    bench.bootEds();

    String error = bench.script.push(bad("eds")).nacked();

    assertThat(error).startsWith("malformed IP address: not-an-ip").doesNotContain("eds");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    bench.script.push(bad("eds")).nacked();
  }

  @Test
  void badEndpointsMakeAnInnocentClusterActiveWithoutAny() {
    bench.bootEds();
    Script.Push held = bench.script.push(edsCluster("innocent"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "innocent");
    assertThat(held.isAnswered()).isFalse();

    bench.script.push(bad("eds")).nacked();

    held.acked();
    assertThat(bench.proxy.stat("cluster.innocent.update_rejected")).isEqualTo(1);
    bench.script.push(routes("routes", host("one.example", "innocent"))).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.UNAVAILABLE);
  }

  @Test
  void aChangedClusterLosesItsEndpointsWhenOthersAreBad() {
    bench.bootEds();
    bench.script.push(edsCluster("eds", "2s"), edsCluster("other"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "other");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));

    bench.script.push(bad("other")).nacked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.UNAVAILABLE);
  }

  @Test
  void aClusterThatWaitsInVainUsesTheEndpointsItHadBefore() {
    bench.bootEds();

    bench.script.push(impatientCluster("eds")).acked(); // after the timeout

    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    assertThat(bench.proxy.stat("cluster.eds.init_fetch_timeout")).isEqualTo(1);
  }
}
