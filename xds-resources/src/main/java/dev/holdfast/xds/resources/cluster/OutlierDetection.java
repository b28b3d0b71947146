// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When endpoints that fail too often are left out for a while (gRFC A50), all defaults filled in.
 *
 * @param maxEjectionPercent how many of the endpoints may be out at once; one may always be
 * @param successRate null if endpoints are not compared with each other
 * @param failurePercentage null if there is no fixed limit
 */
public record OutlierDetection(
    Duration interval,
    Duration baseEjectionTime,
    Duration maxEjectionTime,
    int maxEjectionPercent,
    @Nullable SuccessRate successRate,
    @Nullable FailurePercentage failurePercentage) {

  /**
   * Ejects those whose success rate is far below the mean.
   *
   * @param stdevFactor how many thousandths of the standard deviation below
   */
  public record SuccessRate(
      long stdevFactor, int enforcementPercentage, long minimumHosts, long requestVolume) {}

  /** Ejects those of whose calls at least this percentage failed. */
  public record FailurePercentage(
      int threshold, int enforcementPercentage, long minimumHosts, long requestVolume) {}
}
