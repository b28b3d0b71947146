// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import io.grpc.StatusOr;
import org.jspecify.annotations.Nullable;

/** Where the endpoints of one cluster come from. Only used from the loop. */
interface MemberSource {

  /** The endpoints, or the error for calls that need them; null until there is either. */
  @Nullable StatusOr<ClusterLoadAssignment> assignment();

  /** What is amiss although the endpoints stay in use; null for nothing. */
  @Nullable AmbientError ambient();

  /** Asks again, if that may help. */
  void refresh();

  /**
   * Ends it.
   *
   * @param successor what takes its place; null for nothing
   */
  void close(@Nullable Class<? extends MemberSource> successor);
}
