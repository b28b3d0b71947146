// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One line of the comparison.
 *
 * @param id for machines; does not change
 * @param title for people
 * @param ours null if it was not measured
 * @param peer null if it was not measured, or if the peer cannot do this
 * @param aim the greatest ratio ours / peer that is wanted; null if there is no aim
 * @param most the greatest value of ours that is wanted, whatever the peer needs; null if there is
 *     no aim
 */
public record Row(
    String id,
    String title,
    Unit unit,
    @Nullable Samples ours,
    @Nullable Samples peer,
    @Nullable Double aim,
    @Nullable Double most) {

  /** With an aim for the ratio, or with none. */
  public Row(
      String id,
      String title,
      Unit unit,
      @Nullable Samples ours,
      @Nullable Samples peer,
      @Nullable Double aim) {
    this(id, title, unit, ours, peer, aim, /* most= */ null);
  }

  /** How the median of ours stands to that of the peer. */
  public OptionalDouble ratio() {
    if (ours == null || peer == null || peer.median() == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(ours.median() / peer.median());
  }

  public Verdict verdict() {
    if (most != null && ours != null) {
      return ours.median() <= most ? Verdict.MET : Verdict.MISSED;
    }
    OptionalDouble ratio = ratio();
    if (aim == null || ratio.isEmpty()) {
      return Verdict.NONE;
    }
    return ratio.getAsDouble() <= aim ? Verdict.MET : Verdict.MISSED;
  }

  /** Whether the aim was reached. */
  public enum Verdict {
    MET("met"),
    MISSED("missed"),
    /** There is no aim, or a side is missing. */
    NONE("-");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
