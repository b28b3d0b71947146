// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The errors of the control plane itself since it started: bugs, which it survived.
 *
 * @param last when the last one happened; null if none did
 * @param message what was being done then, and the error; empty if none happened
 */
public record InternalErrorReport(long count, @Nullable Instant last, String message) {
  public static final InternalErrorReport NONE = new InternalErrorReport(0, null, "");
}
