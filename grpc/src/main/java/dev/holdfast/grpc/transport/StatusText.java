// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import io.grpc.Status;

/**
 * Puts into a status' text what gRPC leaves in its chain of causes: {@code io exception} alone
 * tells nobody that a connection was refused.
 */
final class StatusText {
  private static final int MOST_CAUSES = 8;

  private StatusText() {}

  static Status withCauses(Status status) {
    if (status.isOk() || status.getCause() == null) {
      return status;
    }
    String description = status.getDescription() == null ? "" : status.getDescription();
    StringBuilder text = new StringBuilder(withoutPipeline(description));
    Throwable cause = status.getCause();
    for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
      String more = cause.getMessage();
      if (more != null && text.indexOf(more) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(withoutPipeline(more));
      }
    }
    return text.isEmpty() ? status : status.withDescription(text.toString());
  }

  /** gRPC's netty transport adds the list of its handlers, which is of use to its authors only. */
  private static String withoutPipeline(String text) {
    int pipeline = text.indexOf("\nChannel Pipeline: ");
    return pipeline < 0 ? text : text.substring(0, pipeline);
  }
}
