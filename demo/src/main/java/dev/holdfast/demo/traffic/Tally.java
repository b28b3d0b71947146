// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

/** How many calls were answered, and how many were not. */
public record Tally(long served, long failed) {
  public static final Tally NONE = new Tally(0, 0);

  public Tally plus(Tally other) {
    return new Tally(served + other.served, failed + other.failed);
  }

  public Tally minus(Tally earlier) {
    return new Tally(served - earlier.served, failed - earlier.failed);
  }
}
