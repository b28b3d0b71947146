// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import dev.holdfast.xds.resources.endpoint.EndpointHealth;
import java.time.Duration;
import java.util.Set;

/**
 * How a cluster treats calls whose session is at an endpoint (gRFC A55).
 *
 * @param statuses of the endpoints that such calls go to; those of another one are balanced
 * @param idleTimeout how long connections are kept for sessions that are not used (gRFC A75)
 */
public record SessionAffinity(Set<EndpointHealth> statuses, Duration idleTimeout) {
  private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofHours(1);

  /** Where the cluster says nothing. */
  public static final SessionAffinity DEFAULT =
      new SessionAffinity(
          Set.of(EndpointHealth.UNKNOWN, EndpointHealth.HEALTHY), DEFAULT_IDLE_TIMEOUT);

  public SessionAffinity {
    statuses = Set.copyOf(statuses);
  }
}
