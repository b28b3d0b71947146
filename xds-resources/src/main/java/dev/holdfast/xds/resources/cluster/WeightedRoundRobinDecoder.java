// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Durations;
import io.envoyproxy.envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decodes client-side weighted round robin (gRFC A58, A114). */
final class WeightedRoundRobinDecoder {
  private static final Duration SHORTEST_UPDATE_PERIOD = Duration.ofMillis(100);

  private WeightedRoundRobinDecoder() {}

  /** The policy, or null after reporting what is wrong. */
  static @Nullable LbPolicy decode(ClientSideWeightedRoundRobin proto, Problems problems) {
    int before = problems.count();
    Duration reporting =
        duration(
            proto.hasOobReportingPeriod() ? proto.getOobReportingPeriod() : null,
            Duration.ofSeconds(10),
            problems.at("oob_reporting_period"));
    Duration blackout =
        duration(
            proto.hasBlackoutPeriod() ? proto.getBlackoutPeriod() : null,
            Duration.ofSeconds(10),
            problems.at("blackout_period"));
    Duration expiration =
        duration(
            proto.hasWeightExpirationPeriod() ? proto.getWeightExpirationPeriod() : null,
            Duration.ofMinutes(3),
            problems.at("weight_expiration_period"));
    Duration update =
        duration(
            proto.hasWeightUpdatePeriod() ? proto.getWeightUpdatePeriod() : null,
            Duration.ofSeconds(1),
            problems.at("weight_update_period"));
    float penalty =
        proto.hasErrorUtilizationPenalty() ? proto.getErrorUtilizationPenalty().getValue() : 1;
    if (!(penalty >= 0)) { // true of NaN, too
      problems.at("error_utilization_penalty").invalid(penalty + " (expected: at least 0)");
    }
    if (problems.count() > before) {
      return null;
    }
    return new LbPolicy.ClientSideWeightedRoundRobin(
        proto.getEnableOobLoadReport().getValue(),
        reporting,
        blackout,
        expiration,
        update.compareTo(SHORTEST_UPDATE_PERIOD) < 0 ? SHORTEST_UPDATE_PERIOD : update,
        penalty,
        proto.getMetricNamesForComputingUtilizationList());
  }

  private static Duration duration(
      com.google.protobuf.@Nullable Duration proto, Duration otherwise, Problems problems) {
    Duration duration = proto == null ? null : Durations.decode(proto, problems);
    return duration == null ? otherwise : duration;
  }
}
