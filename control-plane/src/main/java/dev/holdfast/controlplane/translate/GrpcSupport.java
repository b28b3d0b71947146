// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import dev.holdfast.base.Problem;
import java.util.List;

/**
 * What proxyless gRPC clients can make of the routes of an object.
 *
 * @param offered whether any route of the object is in a host that gRPC clients can ask for
 * @param unavailable the routes whose calls fail, and why
 * @param ignored the fields that have no effect, and what that means
 */
public record GrpcSupport(boolean offered, List<Problem> unavailable, List<Problem> ignored) {
  /** Of an object that gRPC clients never see. */
  public static final GrpcSupport NONE =
      new GrpcSupport(/* offered= */ false, List.of(), List.of());

  public GrpcSupport {
    unavailable = List.copyOf(unavailable);
    ignored = List.copyOf(ignored);
  }
}
