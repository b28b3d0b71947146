// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;

/**
 * The outcome of a request to retry an object.
 *
 * @param object the object that is retried: the requested one, or the one that it waits for
 * @param generation the generation that is retried; 0 if none is
 */
public record RetryReport(Outcome outcome, ObjectKey object, long generation) {
  /** Whether the object is retried, and if not, why. */
  public enum Outcome {
    /** It is tried as soon as no other trial is running. */
    STARTED,
    /** It is not held, so there is nothing to retry. */
    NOT_HELD,
    /** There is no such object. */
    UNKNOWN
  }
}
