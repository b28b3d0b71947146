// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

/** How many calls were answered, and how many were not. */
public record CallCounts(long served, long failed) {
  public static final CallCounts NONE = new CallCounts(0, 0);

  public CallCounts plus(CallCounts other) {
    return new CallCounts(served + other.served, failed + other.failed);
  }

  public CallCounts minus(CallCounts earlier) {
    return new CallCounts(served - earlier.served, failed - earlier.failed);
  }
}
