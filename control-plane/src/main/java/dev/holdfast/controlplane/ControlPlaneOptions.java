// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.translate.TranslationOptions;

/**
 * The settings of a control plane.
 *
 * @param identifier names this server to proxies and operators
 * @param translation how objects become resources
 * @param rollout how cautiously changes are rolled out
 * @param brake when deletions wait for a confirmation
 */
public record ControlPlaneOptions(
    String identifier, TranslationOptions translation, RolloutOptions rollout, BrakeOptions brake) {
  public ControlPlaneOptions {
    requireNonNull(identifier, "identifier");
    requireNonNull(translation, "translation");
    requireNonNull(rollout, "rollout");
    requireNonNull(brake, "brake");
  }

  /** With the default brake. */
  public ControlPlaneOptions(
      String identifier, TranslationOptions translation, RolloutOptions rollout) {
    this(identifier, translation, rollout, BrakeOptions.defaults());
  }

  /** With default rollout options. */
  public ControlPlaneOptions(String identifier, TranslationOptions translation) {
    this(identifier, translation, RolloutOptions.defaults());
  }
}
