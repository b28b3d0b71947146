// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyResources;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an Envoy does with clusters, good and bad; true of the real one and of the fake. */
@ParameterizedClass
@EnumSource(Bench.Kind.class)
class CdsScenariosTest {
  private final Bench bench;

  CdsScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static Cluster bad(String name) {
    return Resources.cluster(
        """
        {"name": "%1$s", "type": "STATIC", "connect_timeout": "1s",
         "load_assignment": {"cluster_name": "%1$s", "endpoints": [{"lb_endpoints": [%2$s]}]}}
        """
            .formatted(name, EnvoyResources.endpoint("foo.example.com", 80)));
  }

  private static Cluster maglev(String name, int size) {
    return EnvoyResources.staticCluster(name, 1).toBuilder()
        .setLbPolicy(Cluster.LbPolicy.MAGLEV)
        .setMaglevLbConfig(
            Cluster.MaglevLbConfig.newBuilder()
                .setTableSize(com.google.protobuf.UInt64Value.of(size)))
        .build();
  }

  @Test
  void goodClustersOfABadResponseAreTakenAndRemovalsHappen() {
    bench.boot();

    String error =
        bench
            .script
            .push(
                TypeUrls.CLUSTER,
                List.of(bad("b1"), EnvoyResources.staticCluster("good", 1), bad("b2")),
                List.of("two"))
            .nacked();

    assertThat(error).startsWith("Error adding/updating cluster(s) b1: malformed IP address: ");
    assertThat(error).contains(", b2: malformed IP address: foo.example.com");
    assertThat(bench.proxy.activeClusters()).containsExactlyInAnyOrder("good", "one");
    assertThat(bench.proxy.stat("cluster_manager.cds.update_rejected")).isEqualTo(1);
  }

  @Test
  void aBadUpdateLeavesTheOldClusterServing() {
    bench.boot();

    assertThat(bench.script.push(bad("one")).nacked()).contains(" one: malformed IP address");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    assertThat(bench.script.push(bad("one")).nacked()).contains(" one: malformed IP address");
  }

  @Test
  void whatCannotBeDecodedCostsTheWholeResponse() {
    bench.boot();

    String error =
        bench
            .script
            .push(
                TypeUrls.CLUSTER,
                List.of(
                    EnvoyResources.staticCluster("good", 1),
                    EnvoyResources.staticCluster("bad", 1).toBuilder()
                        .setConnectTimeout(com.google.protobuf.Duration.getDefaultInstance())
                        .build()),
                List.of("two"))
            .nacked();

    assertThat(error)
        .startsWith("goo.gle/debug")
        .endsWith(
            ": Proto constraint validation failed (ClusterValidationError.ConnectTimeout: value"
                + " must be greater than 0s)");
    assertThat(bench.proxy.activeClusters()).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void theFirstAnswerDoesNotWaitButLaterOnesDoWhileAClusterWarms() {
    bench.script.push(bench.clusterOne(), EnvoyResources.edsCluster("eds")).acked();
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds");
    bench.script.push(Resources.endpoints("eds", bench.two.port())).acked();
    bench.script.awaitSubscription(TypeUrls.LISTENER);

    Script.Push held = bench.script.push(EnvoyResources.edsCluster("eds2"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds2");
    assertThat(bench.proxy.warmingClusters()).containsExactly("eds2");
    assertThat(held.isAnswered()).isFalse();

    bench.script.push(Resources.endpoints("eds2", bench.two.port())).acked();
    held.acked();
    assertThat(bench.proxy.activeClusters()).contains("eds2");
  }

  @Test
  void aStaticNameIsSkippedAndAccepted() {
    bench.boot();

    bench.script.push(EnvoyResources.staticCluster(Bench.STATIC, 1)).acked();

    assertThat(bench.proxy.activeClusters()).doesNotContain(Bench.STATIC);
  }

  @Test
  void aNonPrimeTableIsRejectedOnceThenTakenForOldNewsAndBlocksLaterAnswers() {
    bench.boot();

    assertThat(bench.script.push(maglev("m", 65536)).nacked())
        .contains("m: The table size of maglev must be prime number");
    bench.script.push(maglev("m", 65536)).acked();
    assertThat(bench.proxy.warmingClusters()).containsExactly("m");

    bench.script.push(maglev("m", 65537)).acked();
    assertThat(bench.proxy.warmingClusters()).isEmpty();
    assertThat(bench.proxy.activeClusters()).contains("m");
  }

  @Test
  void aRemovedClusterIsGoneAndItsRoutesFail() {
    bench.boot();

    bench.script.remove(TypeUrls.CLUSTER, "one").acked();

    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.UNAVAILABLE);
  }

  @Test
  void aRejectionIsNotFollowedByAnotherRequest() {
    bench.boot();
    bench.script.push(bad("one")).nacked();
    bench.script.push(bench.clusterOne()).acked();

    assertThat(bench.script.asks().stream().filter(ask -> ask.type().equals(TypeUrls.CLUSTER)))
        .hasSize(4); // the subscription and an answer to each of three
  }
}
