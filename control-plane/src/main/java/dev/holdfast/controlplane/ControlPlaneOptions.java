// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.translate.TranslationOptions;

/**
 * How a control plane is set up.
 *
 * @param identifier tells proxies and people which server it is
 * @param translation how objects become resources
 * @param rollout how careful changes are tried out
 */
public record ControlPlaneOptions(
    String identifier, TranslationOptions translation, RolloutOptions rollout) {
  public ControlPlaneOptions {
    requireNonNull(identifier, "identifier");
    requireNonNull(translation, "translation");
    requireNonNull(rollout, "rollout");
  }

  /** With the usual care. */
  public ControlPlaneOptions(String identifier, TranslationOptions translation) {
    this(identifier, translation, RolloutOptions.defaults());
  }
}
