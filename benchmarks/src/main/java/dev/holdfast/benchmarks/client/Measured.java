// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

/**
 * What one exchange cost.
 *
 * @param nanos from the response's bytes to the last thing that had to happen
 * @param cpuNanos of these, how many the client's thread was on a core: what is left of the time
 *     when the machine is busy with other things
 * @param allocatedBytes by the client's thread meanwhile
 */
public record Measured(long nanos, long cpuNanos, long allocatedBytes) {
  public double millis() {
    return nanos / 1e6;
  }

  public double cpuMillis() {
    return cpuNanos / 1e6;
  }

  public double allocatedKibibytes() {
    return allocatedBytes / 1024.0;
  }
}
