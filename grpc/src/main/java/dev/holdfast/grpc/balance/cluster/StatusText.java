// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import io.grpc.Status;

/** Statuses from elsewhere as text: the code is not one that a call may end with. */
final class StatusText {
  private StatusText() {}

  /** What the status says; its code where it says nothing. */
  static String of(Status status) {
    String description = status.getDescription();
    return description == null || description.isEmpty() ? status.getCode().toString() : description;
  }

  /** A call's view of what went wrong in the control plane (gRFC A54). */
  static Status unavailable(Status status) {
    return Status.UNAVAILABLE.withDescription(of(status)).withCause(status.getCause());
  }
}
