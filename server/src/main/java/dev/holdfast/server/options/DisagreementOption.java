// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.util.Locale;

/** What becomes of a change that some classes of proxies refuse, as people write it. */
public final class DisagreementOption {
  private DisagreementOption() {}

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public static DisagreementPolicy parse(String text) {
    for (DisagreementPolicy disagreement : DisagreementPolicy.values()) {
      if (word(disagreement).equals(text)) {
        return disagreement;
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: uniform or per-class)");
  }

  private static String word(DisagreementPolicy disagreement) {
    return disagreement.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
