// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import dev.holdfast.grpc.orca.Utilization;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a {@link WeightedRoundRobinBalancer}, in the form in which it is used with
 * every report.
 */
public final class WeightedRoundRobinConfig {
  /** No timer and no comparison of times needs more. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private final LbPolicy.ClientSideWeightedRoundRobin policy;
  private final Utilization utilization;
  private final long blackoutNanos;
  private final long expirationNanos;
  private final long updateNanos;

  public WeightedRoundRobinConfig(LbPolicy.ClientSideWeightedRoundRobin policy) {
    this.policy = policy;
    utilization = Utilization.of(policy.metricNamesForComputingUtilization());
    blackoutNanos = nanos(policy.blackoutPeriod());
    expirationNanos = nanos(policy.weightExpirationPeriod());
    updateNanos = nanos(policy.weightUpdatePeriod());
  }

  private static long nanos(Duration duration) {
    return (duration.compareTo(LONGEST) > 0 ? LONGEST : duration).toNanos();
  }

  Utilization utilization() {
    return utilization;
  }

  double errorUtilizationPenalty() {
    return policy.errorUtilizationPenalty();
  }

  long blackoutNanos() {
    return blackoutNanos;
  }

  long expirationNanos() {
    return expirationNanos;
  }

  long updateNanos() {
    return updateNanos;
  }

  /**
   * How often endpoints are asked for reports beside the calls; null if those of calls are used.
   */
  @Nullable Duration outOfBand() {
    return policy.enableOobLoadReport() ? policy.oobReportingPeriod() : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WeightedRoundRobinConfig that && policy.equals(that.policy);
  }

  @Override
  public int hashCode() {
    return policy.hashCode();
  }

  @Override
  public String toString() {
    return policy.toString();
  }
}
