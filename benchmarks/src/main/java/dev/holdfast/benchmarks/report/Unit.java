// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

/** What a number counts. */
public enum Unit {
  NANOSECONDS("ns", 0),
  MICROSECONDS("us", 1),
  MILLISECONDS("ms", 2),
  /** CPU time in each second. */
  CPU_MILLISECONDS("ms/s", 0),
  BYTES("B", 0),
  KIBIBYTES("KiB", 0),
  MEBIBYTES("MiB", 0),
  COUNT("", 0);

  private final String text;
  private final int decimals;

  Unit(String text, int decimals) {
    this.text = text;
    this.decimals = decimals;
  }

  public String text() {
    return text;
  }

  int decimals() {
    return decimals;
  }
}
