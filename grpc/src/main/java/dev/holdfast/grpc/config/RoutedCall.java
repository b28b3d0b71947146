// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import io.grpc.CallOptions;
import org.jspecify.annotations.Nullable;

/**
 * What routing decided about one call, for the balancers that each of its attempts passes.
 *
 * @param cluster where it goes
 * @param hash what ring_hash places it by (gRFC A42); random if the route has no hash policy
 * @param autoHostRewrite whether the authority becomes the hostname of the endpoint (gRFC A81)
 * @param session null if the call is not part of one (gRFC A55)
 */
public record RoutedCall(
    String cluster, long hash, boolean autoHostRewrite, @Nullable Session session) {

  /** A call that is not part of a session. */
  public RoutedCall(String cluster, long hash, boolean autoHostRewrite) {
    this(cluster, hash, autoHostRewrite, null);
  }

  /** One key for all of it: each option that is added to a call copies those already there. */
  public static final CallOptions.Key<RoutedCall> KEY =
      CallOptions.Key.create("dev.holdfast.grpc.routed-call");
}
