// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.transport;

/** The two variants of the aggregated discovery service. */
public enum AdsProtocol {
  /**
   * State of the world: each request names everything, each response states everything it holds.
   */
  SOTW,
  /** Incremental: requests and responses carry differences. */
  DELTA
}
