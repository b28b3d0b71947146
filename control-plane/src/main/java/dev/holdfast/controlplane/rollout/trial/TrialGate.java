// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which pending changes the proxies of a rollout may be shown already. */
public interface TrialGate {
  /** Lets everything through. */
  TrialGate OPEN = new TrialGate() {};

  /** What may be tried now of some changes. */
  default List<Bundle> next(List<Bundle> pending) {
    return pending;
  }

  /**
   * One of some changes that is held without showing it to any proxy of this rollout; null if there
   * is none.
   *
   * @param hasBaseline whether a proxy of this rollout could be asked, and lose nothing
   */
  default @Nullable Found found(List<Bundle> pending, boolean hasBaseline) {
    return null;
  }

  /** Whether what was held for it may be tried again. */
  default boolean isAcquitted(ConfigObject object) {
    return false;
  }

  /** A change that proxies of another rollout were lost to, or refuse. */
  record Found(ConfigObject object, Bundle bundle, Evidence evidence) {}
}
