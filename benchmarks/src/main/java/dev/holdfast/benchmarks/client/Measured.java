// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

/**
 * What one exchange cost.
 *
 * @param nanos from the response's bytes to the last thing that had to happen
 * @param allocatedBytes by the client's thread meanwhile
 */
public record Measured(long nanos, long allocatedBytes) {
  public double millis() {
    return nanos / 1e6;
  }

  public double allocatedKibibytes() {
    return allocatedBytes / 1024.0;
  }
}
