// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.view.ScoutSettings;
import dev.holdfast.controlplane.ads.wire.AdsLimits;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.translate.TranslationOptions;

/**
 * The settings of a control plane.
 *
 * @param identifier names this server to proxies and operators
 * @param translation how objects become resources
 * @param rollout how cautiously changes are rolled out
 * @param brake when deletions wait for a confirmation
 * @param limits what proxies may use up
 * @param objectLimits what authors may use up
 * @param access what clients may do, by the names in their certificates
 * @param authors what authors may write
 * @param scouts where the clusters of scouts lead
 * @param probe is passed before each decision; for tests
 */
public record ControlPlaneOptions(
    String identifier,
    TranslationOptions translation,
    RolloutOptions rollout,
    BrakeOptions brake,
    AdsLimits limits,
    ObjectLimits objectLimits,
    AccessPolicy access,
    AuthorPolicy authors,
    ScoutSettings scouts,
    DecisionProbe probe) {
  public ControlPlaneOptions {
    requireNonNull(identifier, "identifier");
    requireNonNull(translation, "translation");
    requireNonNull(rollout, "rollout");
    requireNonNull(brake, "brake");
    requireNonNull(limits, "limits");
    requireNonNull(objectLimits, "objectLimits");
    requireNonNull(access, "access");
    requireNonNull(authors, "authors");
    requireNonNull(scouts, "scouts");
    requireNonNull(probe, "probe");
  }

  /** Without a sink for scouts. */
  public ControlPlaneOptions(
      String identifier,
      TranslationOptions translation,
      RolloutOptions rollout,
      BrakeOptions brake,
      AdsLimits limits,
      ObjectLimits objectLimits,
      AccessPolicy access,
      AuthorPolicy authors,
      DecisionProbe probe) {
    this(
        identifier,
        translation,
        rollout,
        brake,
        limits,
        objectLimits,
        access,
        authors,
        ScoutSettings.NO_SINK,
        probe);
  }

  public ControlPlaneOptions(
      String identifier,
      TranslationOptions translation,
      RolloutOptions rollout,
      BrakeOptions brake,
      AdsLimits limits) {
    this(
        identifier,
        translation,
        rollout,
        brake,
        limits,
        ObjectLimits.defaults(),
        AccessPolicy.NONE,
        AuthorPolicy.NONE,
        DecisionProbe.NONE);
  }

  /** With the usual limits. */
  public ControlPlaneOptions(
      String identifier,
      TranslationOptions translation,
      RolloutOptions rollout,
      BrakeOptions brake) {
    this(identifier, translation, rollout, brake, AdsLimits.defaults());
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

  /** The same with a probe. */
  public ControlPlaneOptions withProbe(DecisionProbe other) {
    return new ControlPlaneOptions(
        identifier,
        translation,
        rollout,
        brake,
        limits,
        objectLimits,
        access,
        authors,
        scouts,
        other);
  }

  /** The same with rules for clients. */
  public ControlPlaneOptions withAccess(AccessPolicy other) {
    return new ControlPlaneOptions(
        identifier,
        translation,
        rollout,
        brake,
        limits,
        objectLimits,
        other,
        authors,
        scouts,
        probe);
  }

  /** The same with rules for authors. */
  public ControlPlaneOptions with(AuthorPolicy other) {
    return new ControlPlaneOptions(
        identifier,
        translation,
        rollout,
        brake,
        limits,
        objectLimits,
        access,
        other,
        scouts,
        probe);
  }

  /** The same with other limits for objects. */
  public ControlPlaneOptions withObjectLimits(ObjectLimits other) {
    return new ControlPlaneOptions(
        identifier,
        translation.withRoutesPerHost(other.routesPerHost()),
        rollout,
        brake,
        limits,
        other,
        access,
        authors,
        scouts,
        probe);
  }

  /** The same with other settings for scouts. */
  public ControlPlaneOptions withScouts(ScoutSettings other) {
    return new ControlPlaneOptions(
        identifier,
        translation,
        rollout,
        brake,
        limits,
        objectLimits,
        access,
        authors,
        other,
        probe);
  }
}
