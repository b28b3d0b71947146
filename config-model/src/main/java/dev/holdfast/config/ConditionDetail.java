// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

/**
 * One of several things that a condition sums up.
 *
 * @param severity whether it makes the object invalid
 * @param type what it concerns, in one word for machines
 * @param reason what sort of thing it is, in one word for machines
 * @param message for people
 */
public record ConditionDetail(Severity severity, String type, String reason, String message) {
  /** The severities. */
  public enum Severity {
    ERROR,
    WARNING
  }

  public ConditionDetail {
    requireNonNull(severity, "severity");
    requireNonNull(type, "type");
    requireNonNull(reason, "reason");
    requireNonNull(message, "message");
  }
}
