// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import org.junit.jupiter.api.Test;

/** gRFC A32. */
class CircuitBreakersTest {

  @Test
  void firstThresholdsOfTheDefaultPriorityCount() {
    assertThat(
            maxRequests(
                """
                thresholds { priority: HIGH max_requests { value: 1 } }
                thresholds { priority: DEFAULT max_requests { value: 2 } }
                thresholds { priority: DEFAULT max_requests { value: 3 } }
                """))
        .isEqualTo(2);
  }

  @Test
  void withoutALimitThereIsADefaultOne() {
    assertThat(maxRequests("")).isEqualTo(1024);
    assertThat(maxRequests("thresholds { priority: HIGH max_requests { value: 1 } }"))
        .isEqualTo(1024);
    assertThat(
            maxRequests(
                "thresholds { max_connections { value: 1 } } thresholds { max_requests { value: 9"
                    + " } }"))
        .as("only the first is looked at")
        .isEqualTo(1024);
  }

  @Test
  void limitIsUnsignedAndMayBeZero() {
    assertThat(maxRequests("thresholds { max_requests { value: 4294967295 } }"))
        .isEqualTo(4_294_967_295L);
    assertThat(maxRequests("thresholds { max_requests {} }")).isZero();
  }

  private static long maxRequests(String thresholds) {
    return Outcomes.value(Clusters.eds("circuit_breakers {" + thresholds + "}")).maxRequests();
  }
}
