// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** gRFC A50. */
class OutlierDetectionTest {
  private static final OutlierDetection.SuccessRate DEFAULT_RATE =
      new OutlierDetection.SuccessRate(1900, 100, 5, 100);

  @Test
  void emptyMessageHasTheDefaults() {
    assertThat(decode(""))
        .isEqualTo(
            new OutlierDetection(
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                10,
                DEFAULT_RATE,
                null));
  }

  @Test
  void absentMessageIsNone() {
    assertThat(Outcomes.value(Clusters.eds("")).outlierDetection()).isNull();
  }

  @Test
  void everythingCanBeSet() {
    assertThat(
            decode(
                """
                interval { seconds: 1 } base_ejection_time { seconds: 2 }
                max_ejection_time { seconds: 3 } max_ejection_percent { value: 100 }
                success_rate_stdev_factor { value: 4294967295 } enforcing_success_rate { value: 4 }
                success_rate_minimum_hosts { value: 5 } success_rate_request_volume { value: 6 }
                failure_percentage_threshold { value: 7 } enforcing_failure_percentage { value: 8 }
                failure_percentage_minimum_hosts { value: 9 }
                failure_percentage_request_volume { value: 10 }
                consecutive_5xx { value: 1 }
                """))
        .isEqualTo(
            new OutlierDetection(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                100,
                new OutlierDetection.SuccessRate(4_294_967_295L, 4, 5, 6),
                new OutlierDetection.FailurePercentage(7, 8, 9, 10)));
  }

  @Test
  void longerBaseRaisesTheDefaultOfTheLongestEjection() {
    assertThat(decode("base_ejection_time { seconds: 301 }").maxEjectionTime())
        .isEqualTo(Duration.ofSeconds(301));
  }

  @Test
  void successRateIsOnUnlessItIsEnforcedNever() {
    assertThat(decode("enforcing_success_rate {} success_rate_stdev_factor { value: 1 }"))
        .extracting(OutlierDetection::successRate)
        .isNull();
  }

  @Test
  void failurePercentageIsOffUnlessItIsEnforced() {
    assertThat(decode("failure_percentage_threshold { value: 300 }").failurePercentage())
        .as("fields of what is off do not matter")
        .isNull();
    assertThat(decode("enforcing_failure_percentage {}").failurePercentage()).isNull();
    assertThat(decode("enforcing_failure_percentage { value: 1 }").failurePercentage())
        .isEqualTo(new OutlierDetection.FailurePercentage(85, 1, 5, 50));
  }

  @Test
  void everythingOutOfRangeIsReported() {
    assertThat(
            Outcomes.problems(
                Clusters.eds(
                    """
                    outlier_detection {
                      interval { seconds: -1 } base_ejection_time { nanos: 1000000000 }
                      max_ejection_time { nanos: -1 } max_ejection_percent { value: 101 }
                      enforcing_success_rate { value: 4294967295 }
                      enforcing_failure_percentage { value: 1 }
                      failure_percentage_threshold { value: 101 }
                    }
                    """)))
        .containsExactly(
            "outlier_detection.interval: -1 s (expected: not negative)",
            "outlier_detection.base_ejection_time: 0 s 1000000000 ns (expected: at most"
                + " 315576000000 seconds and 999999999 nanos)",
            "outlier_detection.max_ejection_time: 0 s -1 ns (expected: not negative)",
            "outlier_detection.max_ejection_percent: 101 (expected: at most 100)",
            "outlier_detection.enforcing_success_rate: 4294967295 (expected: at most 100)",
            "outlier_detection.failure_percentage_threshold: 101 (expected: at most 100)");
    assertThat(
            Outcomes.problems(
                Clusters.eds("outlier_detection { enforcing_failure_percentage { value: 101 } }")))
        .containsExactly(
            "outlier_detection.enforcing_failure_percentage: 101 (expected: at most 100)");
  }

  private static OutlierDetection decode(String content) {
    OutlierDetection detection =
        Outcomes.value(Clusters.eds("outlier_detection {" + content + "}")).outlierDetection();
    assertThat(detection).isNotNull();
    return detection;
  }
}
