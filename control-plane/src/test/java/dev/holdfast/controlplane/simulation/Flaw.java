// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import java.util.List;
import java.util.Set;

/**
 * What is wrong with something that an author wrote, and who minds: nobody, every proxy, or those
 * of one class. Written into resources as a word.
 */
enum Flaw {
  NONE(""),
  /** What no proxy is shown. */
  INVALID("invalid"),
  /** What every proxy dies of. */
  DEADLY("deadly"),
  FOR_ALL("all"),
  FOR_A("a"),
  FOR_B("b"),
  FOR_C("c"),
  /** What the odd proxy of each class minds, and nobody else. */
  FOR_ODD("odd");

  /** Those that somebody may mind. */
  static final List<Flaw> REAL = List.of(FOR_ALL, FOR_A, FOR_B, FOR_C);

  private static final int NUMBER = 66_600;

  private final String word;

  Flaw(String word) {
    this.word = word;
  }

  /** How it stands in a text. */
  String text() {
    return this == NONE ? "fine" : "flaw-" + word + ".test";
  }

  /** How it stands where only numbers may. */
  int number() {
    return NUMBER + List.of(values()).indexOf(this);
  }

  /** Whether one of some classes minds. */
  boolean matters(Set<String> classes) {
    return this == FOR_ALL || this == INVALID || this == DEADLY || classes.contains(word);
  }
}
