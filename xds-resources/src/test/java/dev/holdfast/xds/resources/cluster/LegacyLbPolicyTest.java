// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import org.junit.jupiter.api.Test;

/** {@code lb_policy}, which counts where {@code load_balancing_policy} is not set. */
class LegacyLbPolicyTest {

  @Test
  void roundRobinIsTheDefault() {
    assertThat(Clusters.lbPolicy("lb_policy: ROUND_ROBIN")).isSameAs(LbPolicy.DEFAULT);
    assertThat(Clusters.lbPolicy("")).isSameAs(LbPolicy.DEFAULT);
    assertThat(LbPolicy.DEFAULT).isEqualTo(new LbPolicy.WrrLocality(new LbPolicy.RoundRobin()));
  }

  @Test
  void ringHashIsNotUnderALocalityPolicy() {
    assertThat(Clusters.lbPolicy("lb_policy: RING_HASH"))
        .isEqualTo(new LbPolicy.RingHash(1024, 8388608));
    assertThat(
            Clusters.lbPolicy(
                "lb_policy: RING_HASH ring_hash_lb_config { minimum_ring_size { value: 10 }"
                    + " maximum_ring_size { value: 20 } }"))
        .isEqualTo(new LbPolicy.RingHash(10, 20));
  }

  @Test
  void ringHashIsCheckedLikeTheNewOne() {
    assertThat(
            Outcomes.problems(
                Clusters.eds(
                    "lb_policy: RING_HASH ring_hash_lb_config { hash_function: MURMUR_HASH_2"
                        + " maximum_ring_size { value: 8388609 } }")))
        .containsExactly(
            "ring_hash_lb_config.hash_function: MURMUR_HASH_2 (expected: XX_HASH)",
            "ring_hash_lb_config.maximum_ring_size: 8388609 (expected: 1 to 8388608)");
  }

  @Test
  void leastRequestIsUnderALocalityPolicy() {
    assertThat(Clusters.lbPolicy("lb_policy: LEAST_REQUEST"))
        .isEqualTo(new LbPolicy.WrrLocality(new LbPolicy.LeastRequest(2)));
    assertThat(
            Clusters.lbPolicy(
                "lb_policy: LEAST_REQUEST least_request_lb_config { choice_count { value: 5 } }"))
        .isEqualTo(new LbPolicy.WrrLocality(new LbPolicy.LeastRequest(5)));
    assertThat(
            Outcomes.problems(
                Clusters.eds(
                    "lb_policy: LEAST_REQUEST least_request_lb_config { choice_count {} }")))
        .containsExactly("least_request_lb_config.choice_count: 0 (expected: at least 2)");
  }

  @Test
  void othersAreRejected() {
    assertThat(Outcomes.problems(Clusters.eds("lb_policy: MAGLEV")))
        .containsExactly("lb_policy: MAGLEV (expected: ROUND_ROBIN, RING_HASH or LEAST_REQUEST)");
  }

  @Test
  void subsetsAreIgnored() {
    assertThat(Clusters.lbPolicy("lb_subset_config { fallback_policy: ANY_ENDPOINT }"))
        .isSameAs(LbPolicy.DEFAULT);
  }
}
