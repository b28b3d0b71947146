// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteActionTest {

  @Test
  void clusterIsOneOfWeightOne() {
    RouteAction.Forward forward = Routes.forward(Routes.withAction("cluster: 'c'"));

    assertThat(forward.clusters()).isEqualTo(List.of(new WeightedCluster("c", 1)));
    assertThat(forward.hashPolicies()).isEmpty();
    assertThat(forward.maxStreamDuration()).isNull();
    assertThat(forward.retryPolicy()).isNull();
    assertThat(forward.autoHostRewrite()).isFalse();
  }

  @Test
  void emptyClusterIsRejected() {
    assertThat(Outcomes.problems(Routes.withAction("cluster: ''")))
        .containsExactly(Routes.ROUTE + "route.cluster: empty (expected: a cluster)");
  }

  @Test
  void nonForwardingActionIsKept() {
    assertThat(
            Routes.routes(Routes.withRoutes("match { prefix: '' } non_forwarding_action {}"))
                .get(0)
                .action())
        .isEqualTo(new RouteAction.NonForwarding());
  }

  @Test
  void otherActionsAreRejected() {
    assertThat(
            Outcomes.problems(
                Routes.withRoutes(
                    "match { prefix: '' } redirect {}",
                    "match { prefix: '' } direct_response { status: 200 }",
                    "match { prefix: '' } filter_action {}",
                    "match { prefix: '' }")))
        .containsExactly(
            "virtual_hosts[0].routes[0]: REDIRECT (expected: route or non_forwarding_action)",
            "virtual_hosts[0].routes[1]: DIRECT_RESPONSE (expected: route or"
                + " non_forwarding_action)",
            "virtual_hosts[0].routes[2]: FILTER_ACTION (expected: route or non_forwarding_action)",
            "virtual_hosts[0].routes[3]: no action (expected: route or non_forwarding_action)");
  }

  @Test
  void limitOnTheTimeoutHeaderGoesBeforeTheGeneralLimit() {
    assertThat(limit("grpc_timeout_header_max { seconds: 3 } max_stream_duration { seconds: 7 }"))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(limit("grpc_timeout_header_max {} max_stream_duration { seconds: 7 }"))
        .as("zero is no limit, not an absent one")
        .isEqualTo(Duration.ZERO);
    assertThat(limit("max_stream_duration { nanos: 5 }")).isEqualTo(Duration.ofNanos(5));
    assertThat(limit("max_stream_duration {}")).isEqualTo(Duration.ZERO);
    assertThat(limit("grpc_timeout_header_offset { seconds: 1 }")).isNull();
  }

  @Test
  void malformedLimitsAreRejected() {
    assertThat(
            Outcomes.problems(
                Routes.withAction(
                    "cluster: 'c' max_stream_duration { grpc_timeout_header_max { seconds: -1 } }")))
        .containsExactly(
            Routes.ROUTE
                + "route.max_stream_duration.grpc_timeout_header_max: -1 s (expected: not"
                + " negative)");
    assertThat(
            Outcomes.problems(
                Routes.withAction(
                    "cluster: 'c' max_stream_duration { max_stream_duration { nanos: 1000000000 }"
                        + " }")))
        .containsExactly(
            Routes.ROUTE
                + "route.max_stream_duration.max_stream_duration: 0 s 1000000000 ns (expected: at"
                + " most 315576000000 seconds and 999999999 nanos)");
  }

  @Test
  void timeoutOfTheRouteIsIgnored() {
    assertThat(Routes.forward(Routes.withAction("cluster: 'c' timeout { seconds: -9 }")))
        .isEqualTo(Routes.forward(Routes.withAction("cluster: 'c'")));
  }

  @Test
  void onlyATrustedServerMayRewriteTheAuthority() {
    String text =
        Routes.text(
            "match { prefix: '' } route { cluster: 'c' auto_host_rewrite { value: true } }");

    assertThat(Routes.forward(Routes.decode(text)).autoHostRewrite()).isFalse();
    assertThat(
            Routes.forward(Routes.decode(text, DecodeOptions.defaults().withTrustedServer(true)))
                .autoHostRewrite())
        .isTrue();
  }

  @Test
  void trustAloneRewritesNothing() {
    String text =
        Routes.text(
            "match { prefix: '' } route { cluster: 'c' auto_host_rewrite { value: false } }");

    assertThat(
            Routes.forward(Routes.decode(text, DecodeOptions.defaults().withTrustedServer(true)))
                .autoHostRewrite())
        .isFalse();
  }

  private static @org.jspecify.annotations.Nullable Duration limit(String limits) {
    return Routes.forward(Routes.withAction("cluster: 'c' max_stream_duration {" + limits + "}"))
        .maxStreamDuration();
  }
}
