// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Is told what becomes of objects and of classes of proxies, on the loop. */
public interface FleetRolloutObserver extends RolloutObserver {
  /** A class is there, or has just gone. */
  void seen(String proxyClass, Instant at);

  /** A class was not there for long, and nothing is known of it any more. */
  void forgotten(String proxyClass);

  /**
   * A class is served another generation of an object than all others.
   *
   * @param served null if it is served none
   */
  void differs(String proxyClass, ObjectKey key, @Nullable ConfigObject served);

  /** A class is served of an object what all others are. */
  void agrees(String proxyClass, ObjectKey key);

  /** A proxy refuses what others of its class run. */
  void diverged(DivergedProxy proxy);

  /** A class has a selection of its own from now on. */
  void separated(String proxyClass, String reason);

  /** A class is served what all others are again. */
  void rejoined(String proxyClass);
}
