// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.xds.resources.cluster.OutlierDetection;
import io.grpc.util.OutlierDetectionLoadBalancer.OutlierDetectionLoadBalancerConfig;

/** A cluster's outlier detection in the form that gRPC's policy takes. */
final class OutlierConfigs {
  private OutlierConfigs() {}

  /** All but the child. */
  static OutlierDetectionLoadBalancerConfig.Builder of(OutlierDetection detection) {
    OutlierDetectionLoadBalancerConfig.Builder config =
        new OutlierDetectionLoadBalancerConfig.Builder()
            .setIntervalNanos(detection.interval().toNanos())
            .setBaseEjectionTimeNanos(detection.baseEjectionTime().toNanos())
            .setMaxEjectionTimeNanos(detection.maxEjectionTime().toNanos())
            .setMaxEjectionPercent(detection.maxEjectionPercent());
    OutlierDetection.SuccessRate rate = detection.successRate();
    if (rate != null) {
      config.setSuccessRateEjection(
          new OutlierDetectionLoadBalancerConfig.SuccessRateEjection.Builder()
              .setStdevFactor(clamp(rate.stdevFactor()))
              .setEnforcementPercentage(rate.enforcementPercentage())
              .setMinimumHosts(clamp(rate.minimumHosts()))
              .setRequestVolume(clamp(rate.requestVolume()))
              .build());
    }
    OutlierDetection.FailurePercentage percentage = detection.failurePercentage();
    if (percentage != null) {
      config.setFailurePercentageEjection(
          new OutlierDetectionLoadBalancerConfig.FailurePercentageEjection.Builder()
              .setThreshold(percentage.threshold())
              .setEnforcementPercentage(percentage.enforcementPercentage())
              .setMinimumHosts(clamp(percentage.minimumHosts()))
              .setRequestVolume(clamp(percentage.requestVolume()))
              .build());
    }
    return config;
  }

  private static int clamp(long unsigned) {
    return (int) Math.min(unsigned, Integer.MAX_VALUE);
  }
}
