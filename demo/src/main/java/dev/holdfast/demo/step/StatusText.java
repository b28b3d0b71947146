// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import io.grpc.Status;

/** Statuses as they are shown. */
final class StatusText {
  private StatusText() {}

  static String of(Status status) {
    String description = status.getDescription();
    return status.getCode() + (description == null ? "" : ": " + description);
  }
}
