// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

/**
 * What was said of an object, and of which generation of it.
 *
 * @param status what was said
 * @param generation the generation that was judged
 */
public record StoredStatus(ObjectStatus status, long generation) {
  public StoredStatus {
    requireNonNull(status, "status");
    if (generation < 1) {
      throw new IllegalArgumentException("generation: " + generation + " (expected: from 1)");
    }
  }
}
