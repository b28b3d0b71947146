// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import io.grpc.LoadBalancer.PickResult;
import io.grpc.Status;

/**
 * What is amiss with a cluster without being fatal (gRFC A88), for every error that calls to it end
 * with: a call that fails because no endpoint answers also says that the control plane has been
 * away, say, for as long.
 */
record Note(String text) {

  /** The status with the note. What the status says already, or at its end, is not said twice. */
  Status on(Status status) {
    String said = said(status);
    if (text.isEmpty() || said.contains(text)) {
      return status;
    }
    return status.withDescription(
        said.isEmpty() ? text : withoutWhatTheNoteSays(said) + " (" + text + ")");
  }

  /** Of a connection that broke, gRPC says in words only that it did; the cause says why. */
  private static String said(Status status) {
    String description = status.getDescription() == null ? "" : status.getDescription();
    String cause = status.getCause() == null ? null : status.getCause().getMessage();
    if (cause == null || cause.isEmpty() || description.contains(cause)) {
      return description;
    }
    return description.isEmpty() ? cause : description + ": " + cause;
  }

  /** Texts from the control plane end with the node in parentheses, and so do most notes. */
  private String withoutWhatTheNoteSays(String description) {
    int open = description.lastIndexOf(" (");
    if (open < 0 || !description.endsWith(")")) {
      return description;
    }
    String last = description.substring(open + 2, description.length() - 1);
    return !last.isEmpty() && text.contains(last) ? description.substring(0, open) : description;
  }

  /** The result with the note on its error. Drops are no errors: they are what was asked for. */
  PickResult on(PickResult result) {
    return result.getStatus().isOk() || result.isDrop()
        ? result
        : PickResult.withError(on(result.getStatus()));
  }
}
