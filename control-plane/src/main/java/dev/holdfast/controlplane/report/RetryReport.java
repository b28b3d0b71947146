// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;

/**
 * What came of the wish that an object be tried again.
 *
 * @param object the one that is tried: that which was asked for, or the one it waits for
 * @param generation the one that is tried; 0 if none is
 */
public record RetryReport(Outcome outcome, ObjectKey object, long generation) {
  /** Whether it is tried, and if not, why. */
  public enum Outcome {
    /** It is tried as soon as nothing else is. */
    STARTED,
    /** It is not held, so there is nothing to try again. */
    NOT_HELD,
    /** There is no such object. */
    UNKNOWN
  }
}
