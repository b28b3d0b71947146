// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.rollout.Disagreement;
import java.util.Locale;

/** Parses the option for changes that only some proxy classes reject. */
public final class DisagreementOption {
  private DisagreementOption() {}

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public static Disagreement parse(String text) {
    for (Disagreement disagreement : Disagreement.values()) {
      if (word(disagreement).equals(text)) {
        return disagreement;
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: uniform or per-class)");
  }

  private static String word(Disagreement disagreement) {
    return disagreement.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
