// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import io.grpc.Attributes;
import io.grpc.Status;

/**
 * Why a channel has no configuration, on its way to the balancer at the root. It does not go as a
 * resolver's error: a channel would keep what it had before, although that is not to be used any
 * more.
 *
 * @param status UNAVAILABLE
 * @param askAgain whether the channel has to ask again for there to be any news
 */
record ResolutionFailure(Status status, boolean askAgain) {
  static final Attributes.Key<ResolutionFailure> KEY =
      Attributes.Key.create("dev.holdfast.grpc.failure");
}
