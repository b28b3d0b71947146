// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

/** The two ways of speaking xDS. */
enum Protocol {
  SOTW("SotW"),
  DELTA("Delta");

  private final String word;

  Protocol(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }
}
