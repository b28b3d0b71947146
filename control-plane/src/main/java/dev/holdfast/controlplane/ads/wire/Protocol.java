// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

/** The two variants of the xDS transport protocol. */
public enum Protocol {
  SOTW("SotW"),
  DELTA("Delta");

  private final String word;

  Protocol(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
