// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import com.google.protobuf.UInt32Value;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.cluster.OutlierDetection.FailurePercentage;
import dev.holdfast.xds.resources.cluster.OutlierDetection.SuccessRate;
import dev.holdfast.xds.resources.decode.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decodes outlier detection (gRFC A50). Consecutive errors and local origin, which count HTTP
 * codes, are ignored.
 */
final class OutlierDetectionDecoder {
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
  private static final Duration DEFAULT_BASE_EJECTION_TIME = Duration.ofSeconds(30);
  private static final Duration DEFAULT_MAX_EJECTION_TIME = Duration.ofMinutes(5);
  private static final int DEFAULT_MAX_EJECTION_PERCENT = 10;

  private OutlierDetectionDecoder() {}

  /** The configuration; not to be used if problems were reported. */
  static OutlierDetection decode(
      io.envoyproxy.envoy.config.cluster.v3.OutlierDetection proto, Problems problems) {
    Duration interval =
        duration(
            proto.hasInterval(), proto.getInterval(), DEFAULT_INTERVAL, problems.at("interval"));
    Duration base =
        duration(
            proto.hasBaseEjectionTime(),
            proto.getBaseEjectionTime(),
            DEFAULT_BASE_EJECTION_TIME,
            problems.at("base_ejection_time"));
    Duration defaultMax =
        base.compareTo(DEFAULT_MAX_EJECTION_TIME) > 0 ? base : DEFAULT_MAX_EJECTION_TIME;
    Duration max =
        duration(
            proto.hasMaxEjectionTime(),
            proto.getMaxEjectionTime(),
            defaultMax,
            problems.at("max_ejection_time"));
    int percent =
        percent(
            proto.hasMaxEjectionPercent(),
            proto.getMaxEjectionPercent(),
            DEFAULT_MAX_EJECTION_PERCENT,
            problems.at("max_ejection_percent"));
    return new OutlierDetection(
        interval, base, max, percent, successRate(proto, problems), failures(proto, problems));
  }

  /** On unless it is switched off; then its other fields do not matter. */
  private static @Nullable SuccessRate successRate(
      io.envoyproxy.envoy.config.cluster.v3.OutlierDetection proto, Problems problems) {
    int enforcing =
        percent(
            proto.hasEnforcingSuccessRate(),
            proto.getEnforcingSuccessRate(),
            100,
            problems.at("enforcing_success_rate"));
    return enforcing == 0
        ? null
        : new SuccessRate(
            number(proto.hasSuccessRateStdevFactor(), proto.getSuccessRateStdevFactor(), 1900),
            enforcing,
            number(proto.hasSuccessRateMinimumHosts(), proto.getSuccessRateMinimumHosts(), 5),
            number(proto.hasSuccessRateRequestVolume(), proto.getSuccessRateRequestVolume(), 100));
  }

  /** Off unless it is switched on, unlike the other one; when off its fields do not matter. */
  private static @Nullable FailurePercentage failures(
      io.envoyproxy.envoy.config.cluster.v3.OutlierDetection proto, Problems problems) {
    int enforcing =
        percent(
            proto.hasEnforcingFailurePercentage(),
            proto.getEnforcingFailurePercentage(),
            0,
            problems.at("enforcing_failure_percentage"));
    return enforcing == 0
        ? null
        : new FailurePercentage(
            percent(
                proto.hasFailurePercentageThreshold(),
                proto.getFailurePercentageThreshold(),
                85,
                problems.at("failure_percentage_threshold")),
            enforcing,
            number(
                proto.hasFailurePercentageMinimumHosts(),
                proto.getFailurePercentageMinimumHosts(),
                5),
            number(
                proto.hasFailurePercentageRequestVolume(),
                proto.getFailurePercentageRequestVolume(),
                50));
  }

  private static Duration duration(
      boolean set, com.google.protobuf.Duration proto, Duration otherwise, Problems problems) {
    Duration duration = set ? Durations.decode(proto, problems) : null;
    return duration == null ? otherwise : duration;
  }

  private static long number(boolean set, UInt32Value value, long otherwise) {
    return set ? Integer.toUnsignedLong(value.getValue()) : otherwise;
  }

  private static int percent(boolean set, UInt32Value value, int otherwise, Problems problems) {
    long percent = number(set, value, otherwise);
    if (percent > 100) {
      problems.invalid(percent + " (expected: at most 100)");
      return otherwise;
    }
    return (int) percent;
  }
}
