// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import io.grpc.Status;
import java.util.regex.Pattern;

/**
 * Puts into a status' text what gRPC leaves in its chain of causes: {@code io exception} alone
 * tells nobody that a connection was refused.
 */
final class StatusText {
  private static final int MOST_CAUSES = 8;

  /** What gRPC says when only the causes know. */
  private static final String NO_TEXT = "io exception";

  /** What netty puts before the system's own words. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("\\b\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ");

  /**
   * What gRPC adds for its own authors: the list of its handlers, and everything that came with an
   * answer that is not gRPC's. That may hold the time, by which each failure would be another one.
   */
  private static final Pattern INTERNALS =
      Pattern.compile(
          "\\n(?:Channel Pipeline: |headers: Metadata\\(|trailers: Metadata\\().*", Pattern.DOTALL);

  private StatusText() {}

  static Status withCauses(Status status) {
    if (status.isOk()) {
      return status;
    }
    String description = status.getDescription() == null ? "" : tidy(status.getDescription());
    StringBuilder text = new StringBuilder(description.equals(NO_TEXT) ? "" : description);
    Throwable cause = status.getCause();
    for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
      String more = cause.getMessage() == null ? "" : tidy(cause.getMessage());
      if (text.indexOf(more) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(more);
      }
    }
    if (text.isEmpty()) {
      text.append(description);
    }
    return text.isEmpty() ? status : status.withDescription(text.toString());
  }

  private static String tidy(String text) {
    return SYSTEM_CALL.matcher(INTERNALS.matcher(text).replaceFirst("")).replaceAll("");
  }
}
