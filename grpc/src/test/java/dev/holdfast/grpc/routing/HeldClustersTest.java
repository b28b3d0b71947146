// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.XdsConfig;
import io.grpc.InternalConfigSelector.Result;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which clusters stay, and for how long (gRFC A31). */
class HeldClustersTest {
  private final Routing it = new Routing();

  @Test
  void tableHoldsAllItsClusters() {
    it.routes(
        """
        {"match": {"prefix": "/W"}, "route": {"weighted_clusters": {"clusters": [
          {"name": "a", "weight": 1}, {"name": "b", "weight": 0}]}}},
        {"match": {"prefix": ""}, "route": {"cluster": "a"}}
        """);
    assertThat(it.subscribed).containsExactlyInAnyOrder("a", "b");
    it.router.stop();
    assertThat(it.subscribed).isEmpty();
  }

  @Test
  void callHoldsItsClusterUntilItIsCommitted() {
    it.routes(to("old"));
    FakeCalls call = it.start("S/M");
    it.routes(to("new"));
    assertThat(it.subscribed).containsExactlyInAnyOrder("old", "new");
    call.headers();
    assertThat(it.subscribed).containsExactly("new");
    call.close();
    assertThat(it.subscribed).containsExactly("new");
  }

  @Test
  void callThatEndsWithoutHeadersLetsGo() {
    it.routes(to("old"));
    FakeCalls call = it.start("S/M");
    it.router.stop();
    assertThat(it.subscribed).containsExactly("old");
    call.close();
    assertThat(it.subscribed).isEmpty();
  }

  @Test
  void clusterThatComesBackIsTheOneThatCallsStillHold() {
    it.routes(to("c"));
    FakeCalls call = it.start("S/M");
    it.routes(to("d"));
    it.routes(to("c"));
    assertThat(it.subscribed).containsExactly("c");
    call.close();
    assertThat(it.subscribed).containsExactly("c");
    assertThat(it.route("S/M")).isEqualTo("c");
  }

  @Test
  void balancerKnowsNewClustersBeforeAnyCallGoesThere() {
    it.routes(to("old"));
    List<String> meanwhile = new ArrayList<>();
    it.router.use(
        it.config("\"routes\": [" + to("new") + "]"),
        () -> {
          meanwhile.add(it.route("S/M"));
          meanwhile.addAll(it.subscribed);
        });
    assertThat(meanwhile).containsExactly("old", "old", "new");
    assertThat(it.route("S/M")).isEqualTo("new");
    assertThat(it.subscribed).containsExactly("new");
  }

  @Test
  void sameRoutesKeepTheTable() {
    XdsConfig config = it.config("\"routes\": [" + to("c") + "]");
    it.router.use(config, () -> {});
    int parsed = it.parsed.size();
    it.router.use(
        new XdsConfig(config.manager(), config.virtualHost(), config.clusters()), () -> {});
    assertThat(it.parsed).hasSize(parsed);
    assertThat(it.subscribed).containsExactly("c");
  }

  @Test
  void withoutATableCallsPassUnroutedAndAreRoutedWhenTheyArePickedFor() {
    FakePick call = new FakePick("S/M");
    Result result = it.router.selectConfig(call);
    assertThat(result.getStatus().isOk()).isTrue();
    assertThat(result.getInterceptor()).isNull();
    assertThat(it.router.routeLate(call)).isNull();

    it.routes(to("c", "/S/"));
    StatusOr<RoutedCall> late = it.router.routeLate(call);
    assertThat(late).isNotNull();
    assertThat(late.getValue().cluster()).isEqualTo("c");
    StatusOr<RoutedCall> nowhere = it.router.routeLate(new FakePick("T/M"));
    assertThat(nowhere).isNotNull();
    assertThat(nowhere.getStatus().getDescription()).startsWith("no route for /T/M");
  }

  private static String to(String cluster) {
    return to(cluster, "");
  }

  private static String to(String cluster, String prefix) {
    return "{\"match\": {\"prefix\": \""
        + prefix
        + "\"}, \"route\": {\"cluster\": \""
        + cluster
        + "\"}}";
  }
}
